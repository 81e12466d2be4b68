import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localBucket, readConfig, silentLog } from '@errand/platform';
import { afterAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { StartError } from './start-error.ts';
import { type LocalService, type PartName, startLocal } from './start-local.ts';

let dataDir: string;
const folders: string[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'errand-words-'));
  folders.push(dataDir);
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

const start = (only?: PartName): Promise<LocalService> =>
  startLocal({
    config: readConfig('local', { DATA_DIR: dataDir, PORT: '0' }),
    log: silentLog,
    only,
    onExit: () => {},
  });

/** The words of a start that is refused; anything else fails the test. */
async function refusal(only?: PartName): Promise<string> {
  const error = await start(only).then(
    (service) => service.stop().then(() => undefined),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(StartError);
  return (error as Error).message;
}

const objects = `files/${localBucket}/objects`;

describe('a data folder with something else in the place of', () => {
  const folderInPlaceOf = [
    'service.json',
    'first-key.json',
    'link-secret',
    'store-secret',
    'dynamodb.sqlite',
    'files/lock.sqlite',
  ];

  test.each(folderInPlaceOf)('%s, a folder, is refused in one sentence that names it', async (name) => {
    await mkdir(path.join(dataDir, name), { recursive: true });
    const words = await refusal();
    expect(words).not.toContain('\n');
    if (name !== 'dynamodb.sqlite') expect(words).toContain(path.join(dataDir, name));
    else expect(words).toContain('the embedded DynamoDB did not start');
  });

  test.each(['files', `files/${localBucket}`, objects])(
    '%s, a file, is refused in one sentence that names it',
    async (name) => {
      await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
      await writeFile(path.join(dataDir, name), 'text');
      const words = await refusal();
      expect(words).toContain(path.join(dataDir, name));
      expect(words).not.toContain('\n');
    },
  );

  test.each([
    ['dynamodb.sqlite', 'the embedded DynamoDB did not start'],
    ['files/lock.sqlite', 'file is not a database'],
    [`${objects}/record.json`, 'is not a record of this store'],
  ])('%s, text, is refused in one sentence', async (name, reason) => {
    await mkdir(path.dirname(path.join(dataDir, name)), { recursive: true });
    await writeFile(
      path.join(dataDir, name),
      'text that is long enough for the head of a database '.repeat(100),
    );
    const words = await refusal();
    expect(words).toContain(reason);
    expect(words).not.toContain('\n');
  });
});

describe('a service.json that', () => {
  const write = (endpoint: string) =>
    writeFile(
      path.join(dataDir, 'service.json'),
      JSON.stringify({
        pid: process.pid,
        endpoints: { dynamodb: endpoint, sqs: endpoint, s3: endpoint },
      }),
    );

  test.each<PartName>(['api', 'worker'])('has an endpoint that is no address serves no %s', async (part) => {
    await write('nowhere');
    expect(await refusal(part)).toContain(`Nothing serves the data folder ${dataDir} yet.`);
  });

  test('has an endpoint that is no address is written anew by the next whole service', async () => {
    await write('nowhere');
    const service = await start();
    onTestFinished(() => service.stop());
    expect((await fetch(`${service.baseUrl}/healthz`)).status).toBe(200);
  });

  test.each<PartName>(['api', 'worker'])(
    'names a store that takes connections and does not answer starts no %s, which says so',
    async (part) => {
      const server = createServer((_, response) => response.writeHead(503).end()).listen(0, '127.0.0.1');
      onTestFinished(() => void server.close());
      await once(server, 'listening');
      await write(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect(await refusal(part)).toMatch(/^The store of .* does not answer/);
    },
  );

  test('names a store whose tables are away starts no api, and none is announced', async () => {
    const aws = await start('aws');
    onTestFinished(() => aws.stop());
    const file = path.join(dataDir, 'service.json');
    const service = JSON.parse(await readFile(file, 'utf8'));
    service.endpoints.dynamodb = 'http://127.0.0.1:1';
    await writeFile(file, JSON.stringify(service));
    expect(await refusal('api')).toMatch(/^The store of .* does not answer/);
    expect(JSON.parse(await readFile(file, 'utf8')).baseUrl).toBeUndefined();
  });
});

test('a start that is refused leaves no lock and no half-written file', async () => {
  await mkdir(path.join(dataDir, 'first-key.json'));
  await refusal();
  expect((await readdir(dataDir)).filter((name) => /\.(lock|tmp)$|^service\.json$/.test(name))).toEqual([]);
});
