import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../../test/support/eventually.ts';
import { ensureTables } from './ensure-tables.ts';
import { findFreePort } from './find-free-port.ts';
import { startDynamo } from './start-dynamo.ts';

const definition = { name: 'Things', partitionKey: 'pk' };

async function dataFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'errand-dynamo-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'made', 'dynamodb.sqlite');
}

const connect = (endpoint: string) => {
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  return client;
};
const put = (client: DynamoDBClient, pk: string) =>
  client.send(new PutItemCommand({ TableName: 'Things', Item: { pk: { S: pk } } }));
const has = async (client: DynamoDBClient, pk: string) =>
  (await client.send(new GetItemCommand({ TableName: 'Things', Key: { pk: { S: pk } } }))).Item !== undefined;

interface Process {
  pid: number;
  group: number;
  name: string;
}

/** The processes whose command line names the file. */
function processesOf(file: string): Process[] {
  return execFileSync('ps', ['-eo', 'pid=,pgid=,comm=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(`--db-path ${file}`))
    .map((line) => {
      const [pid, group, name] = line.trim().split(/\s+/);
      return { pid: Number(pid), group: Number(group), name: name! };
    });
}

test('data is there at the next start, and a close leaves no process', async () => {
  const file = await dataFile();
  const exits: string[] = [];
  const first = await startDynamo({ file, host: '127.0.0.1', onExit: (reason) => exits.push(reason) });
  const client = connect(first.endpoint);
  await ensureTables(client, [definition]);
  await put(client, 'kept');
  await first.close();
  expect(processesOf(file)).toEqual([]);
  const second = await startDynamo({ file, host: '127.0.0.1' });
  expect(await has(connect(second.endpoint), 'kept')).toBe(true);
  await second.close();
  expect(exits).toEqual([]);
});

test('a process that is killed takes its DynamoDB along, and the file can be used at once', async () => {
  const file = await dataFile();
  const script = new URL('./test-support/serve-test-dynamo.ts', import.meta.url).pathname;
  const parent = spawn(process.execPath, [script, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const client = connect(line.toString().trim());
  await ensureTables(client, [definition]);
  let acknowledged = 0;
  const writing = (async () => {
    for (; ; acknowledged++) await put(client, `item ${acknowledged}`);
  })();
  await eventually(() => acknowledged).toBeGreaterThan(50);
  expect(processesOf(file).length).toBeGreaterThan(0);
  parent.kill('SIGKILL');
  await expect(writing).rejects.toThrow();

  const next = await startDynamo({ file, host: '127.0.0.1' });
  onTestFinished(() => next.close());
  const reader = connect(next.endpoint);
  for (let i = 0; i < acknowledged; i++) expect(await has(reader, `item ${i}`)).toBe(true);
  expect(processesOf(file).filter(({ name }) => name === 'dynoxide')).toHaveLength(1);
  await next.close();
  await eventually(() => processesOf(file)).toEqual([]);
});

test('Ctrl-C in the terminal does not reach the DynamoDB', async () => {
  const file = await dataFile();
  const script = new URL('./test-support/serve-test-dynamo.ts', import.meta.url).pathname;
  const parent = spawn(process.execPath, [script, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  const groups = processesOf(file).map(({ group }) => group);
  expect(groups.length).toBeGreaterThan(0);
  expect(groups).not.toContain(parent.pid);
  process.kill(-parent.pid!, 'SIGINT');
  await once(parent, 'exit');
  await eventually(() => processesOf(file)).toEqual([]);
  expect(line.toString()).toMatch('http://127.0.0.1:');
});

test('an unexpected end of the DynamoDB is reported', async () => {
  const file = await dataFile();
  const exited = Promise.withResolvers<string>();
  const dynamo = await startDynamo({ file, host: '127.0.0.1', onExit: exited.resolve });
  const programs = processesOf(file).filter(({ name }) => name === 'dynoxide');
  expect(programs).toHaveLength(1);
  process.kill(programs[0]!.pid, 'SIGKILL');
  expect(await exited.promise).toMatch('The embedded DynamoDB ended: status 137');
  await dynamo.close();
  await eventually(() => processesOf(file)).toEqual([]);
});

test('a port that another process takes first is given up for another port', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port: taken } = other.address() as AddressInfo;
  const tried: number[] = [];
  const findPort = async (host: string) => {
    tried.push(tried.length === 0 ? taken : await findFreePort(host));
    return tried.at(-1)!;
  };
  const dynamo = await startDynamo({ file: await dataFile(), host: '127.0.0.1', findPort });
  onTestFinished(() => dynamo.close());
  expect(tried).toHaveLength(2);
  expect(dynamo.endpoint).toBe(`http://127.0.0.1:${tried[1]}`);
});

test('a start that fails says why', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'errand-dynamo-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await expect(startDynamo({ file: folder, host: '127.0.0.1' })).rejects.toThrow(
    /did not start: status 1: .+/,
  );
});

test('a platform without a binary is refused by its name', async () => {
  const start = startDynamo({ file: await dataFile(), host: '127.0.0.1', platform: 'plan9-mips' });
  await expect(start).rejects.toThrow('There is no embedded DynamoDB for plan9-mips.');
});
