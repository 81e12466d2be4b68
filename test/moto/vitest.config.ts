import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { storeTests, tooSlow } from './store-tests.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Modules that start an embedded AWS, and what starts moto in their place. */
const replaced = new Map(
  [
    ['test/support/dynamo-server.ts', 'test/moto/dynamo-server.ts'],
    ['packages/local/aws/start-embedded-aws.ts', 'test/moto/start-embedded-aws.ts'],
  ].map(([module, replacement]) => [path.join(root, module!), path.join(root, replacement!)]),
);

export default defineConfig({
  root,
  plugins: [
    {
      name: 'moto',
      enforce: 'pre',
      load(id) {
        const replacement = replaced.get(id);
        return replacement && `export * from ${JSON.stringify(replacement)};`;
      },
    },
  ],
  test: {
    include: storeTests,
    exclude: tooSlow,
    globalSetup: ['scripts/bundle-threads.ts'],
    setupFiles: ['test/support/document/setup.ts', 'test/support/aws-rules/setup.ts'],
    isolate: false,
    // One more than there are cores: moto and its caller wait for each other.
    maxWorkers: availableParallelism() + 1,
    // moto takes ten times as long for a request.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
