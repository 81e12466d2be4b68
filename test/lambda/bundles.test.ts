import { beforeAll, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type FunctionName, permissions } from '../../infra/permissions.ts';
import { builds } from '../support/builds/index.ts';
import { type BundleSizes, keptModules, readSizes } from '../support/lambda/bundles.ts';
import { sentBy } from '../support/lambda/sent-commands.ts';

const names = Object.keys(functionShapes) as FunctionName[];
const megabyte = 1_000_000;
const bytesOfHeavy = 100_000;

describe.each(names)('the bundle of %s', (name) => {
  let sizes: BundleSizes;

  beforeAll(async () => {
    sizes = await readSizes(await builds.bundle(name, 'deployed'));
  }, 120_000);

  test('loads no more than 1 MB of minified code before its first request', () => {
    expect(sizes.initBytes).toBeLessThanOrEqual(megabyte);
  });

  test('loads tokenizers, converters, page readers and the S3 client only when they are needed', () => {
    const heavy = /gpt-tokenizer|unpdf|pdfjs|linkedom|htmlparser2|readability|@aws-sdk\/client-s3\//;
    const found = sizes.initInputs.filter((input) => heavy.test(input));
    expect(found).toEqual([]);
    const lazy = sizes.lazy.filter(({ bytes }) => bytes > bytesOfHeavy);
    expect(lazy.length).toBeGreaterThan(0);
  });

  test('can send what its permissions allow, and its permissions allow no more', async () => {
    const sent = sentBy(await keptModules(await builds.bundle(name, 'readable')));
    const { tables, indexes = {}, files = {}, listFiles, queue = [] } = permissions[name];
    const granted = [
      ...Object.entries(tables).flatMap(([table, actions]) => actions.map((action) => `${table} ${action}`)),
      ...Object.entries(indexes).flatMap(([table, byIndex]) =>
        Object.entries(byIndex).flatMap(([index, actions]) =>
          actions.map((action) => `${table}/${index} ${action}`),
        ),
      ),
    ];
    expect(granted.sort()).toEqual([...sent.tables].sort());
    const grantedFiles = new Set<string>([
      ...Object.values(files).flat(),
      ...(listFiles ? ['ListBucket'] : []),
    ]);
    expect([...grantedFiles].sort()).toEqual([...sent.files].sort());
    // Lambda's own poller receives and deletes with the function's role.
    const polled = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes'];
    expect(queue.filter((action) => !polled.includes(action)).sort()).toEqual([...sent.queue].sort());
    expect(queue.some((action) => polled.includes(action))).toBe(name === 'worker');
    expect(permissions[name].deadLetters ?? []).toEqual(name === 'dead-letters' ? polled : []);
  }, 60_000);
});
