import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { type FunctionName, permissions } from '../../infra/permissions.ts';
import { root } from '../../scripts/bundle-function.ts';
import { builds } from '../support/builds/index.ts';
import { type BundleSizes, keptModules, readSizes } from '../support/lambda/bundles.ts';
import { sentBy } from '../support/lambda/sent-commands.ts';

/** The names of the packages that `npm run sbom` lists. */
const billed = new Set(
  (
    JSON.parse(execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8' })) as {
      components: { name: string }[];
    }
  ).components.map(({ name }) => name),
);

const names = Object.keys(functionShapes) as FunctionName[];
const megabyte = 1_000_000;
const bytesOfHeavy = 100_000;

describe.each(names)('the bundle of %s', (name) => {
  let sizes: BundleSizes;

  beforeAll(async () => {
    sizes = await readSizes(await builds.bundle(name, 'deployed'));
  });

  test('loads no more than 1 MB of minified code before its first request', () => {
    expect(sizes.initBytes).toBeLessThanOrEqual(megabyte);
  });

  test('loads tokenizers, converters, page readers, cron patterns and the S3 client only when they are needed', () => {
    const heavy = /gpt-tokenizer|unpdf|pdfjs|linkedom|htmlparser2|readability|croner|@aws-sdk\/client-s3\//;
    const found = sizes.initInputs.filter((input) => heavy.test(input));
    expect(found).toEqual([]);
    const lazy = sizes.lazy.filter(({ bytes }) => bytes > bytesOfHeavy);
    expect(lazy.length).toBeGreaterThan(0);
  });

  test('loads no descriptions of routes: only the document needs them', () => {
    const described = /descriptions?\.ts$|packages\/\w+\/openapi\//;
    expect(sizes.initInputs.filter((input) => described.test(input))).toEqual([]);
  });

  test('has only packages that the bill of materials lists', () => {
    const inputs = [...sizes.initInputs, ...sizes.lazy.flatMap((chunk) => chunk.inputs)];
    const packages = inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
    expect(packages.length).toBeGreaterThan(0);
    expect([...new Set(packages)].filter((name) => !billed.has(name))).toEqual([]);
  });

  test('has exactly the commands that its permissions allow', async () => {
    const sent = sentBy(await keptModules(path.join(await builds.readable(), `${name}.mjs`)));
    const { tables, indexes = {}, files = {}, listFiles, queue = [], webhooks = [] } = permissions[name];
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
    const queued = new Set([...queue, ...webhooks].filter((action) => !polled.includes(action)));
    expect([...queued].sort()).toEqual([...sent.queue].filter((action) => !polled.includes(action)).sort());
    // An invocation of the worker receives and deletes itself, too.
    const receives = name === 'worker' ? ['DeleteMessage', 'ReceiveMessage'] : [];
    expect([...sent.queue].filter((action) => polled.includes(action)).sort()).toEqual(receives);
    expect(queue.some((action) => polled.includes(action))).toBe(name === 'worker');
    expect(webhooks.some((action) => polled.includes(action))).toBe(name === 'webhooks');
    expect(permissions[name].converts ?? false).toBe(sent.invokes);
    expect(permissions[name].deadLetters ?? []).toEqual(name === 'dead-letters' ? polled : []);
  });
});
