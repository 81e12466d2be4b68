import { availableParallelism } from 'node:os';
import path from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

// Many tests start processes, and each would compile the same modules: with the cache they start in half the time.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');
// For what is written in Go, esbuild and the type checker: it collects garbage half as often, and takes a tenth more memory.
process.env.GOGC ??= '200';

/**
 * The longest files, and folders of them. In a fresh clone vitest knows no durations, and would end with them, one by one.
 * Most wait a good deal, for leases and processes: all at once they would leave cores idle that are short later.
 */
const longest = [
  'test/faults/',
  'test/infra/',
  'test/lambda/',
  'test/storm/',
  'test/pages/',
  'test/text/',
  'test/upgrade/',
  'test/client/command-line',
  'test/client/installed',
  'test/console/',
  'test/security/linear-doors',
  'test/security/fuzz',
  'test/billing/plays',
];

/** Takes from these in turn, each time with as many of the other files as spread them over two thirds of those. */
class LongestSpread extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const groups = longest.map((start) =>
      sorted.filter(({ moduleId }) => path.relative(import.meta.dirname, moduleId).startsWith(start)),
    );
    const most = Math.max(...groups.map(({ length }) => length));
    const inTurn = Array.from({ length: most }, (_, i) => groups.flatMap((each) => each[i] ?? [])).flat();
    const long = new Set(inTurn);
    const others = sorted.filter((file) => !long.has(file));
    const between = Math.floor((others.length * 2) / 3 / long.size) || 0;
    const spread = inTurn.flatMap((file, i) => [file, ...others.slice(i * between, (i + 1) * between)]);
    return [...spread, ...others.slice(inTurn.length * between)];
  }
}

/** All other test files share workers, and the modules that a worker has loaded. */
const alone = [
  // Replaces a module.
  'packages/platform/http/stream-writer.test.ts',
  // Measure processor time, which the garbage of others would add to.
  'test/text/linear-time.test.ts',
  'test/security/linear-doors.test.ts',
];
/** What needs the functions' bundles or the evaluated stack. */
const deployable = [
  'test/{infra,lambda}/**/*.test.ts',
  'test/faults/invocations/*.test.ts',
  'test/security/edge.test.ts',
  'test/smoke/deployed/*.test.ts',
];

const buildsOwner = 'test/support/builds/owner.ts';

export default defineConfig({
  test: {
    sequence: { sequencer: LongestSpread },
    // A hung test ends, too. Other work on the machine makes tests slower, and must fail none.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    // V8's 16 MB for what is new are collected often: 5 % more CPU over a dozen files.
    execArgv: ['--max-semi-space-size=64'],
    expect: { poll: { timeout: 60_000 } },
    globalSetup: ['scripts/bundle-threads.ts', 'scripts/build-pages.ts'],
    // More than there are cores: many tests wait, for leases, retries and processes.
    maxWorkers: availableParallelism() + 2,
    // Tests that rewrite the same page must not do so at the same time.
    fileParallelism: process.env.UPDATE_DOCS !== '1',
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['{packages,functions,test}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...alone, ...deployable],
          setupFiles: ['test/support/document/setup.ts', 'test/support/aws-rules/setup.ts'],
          globalSetup: [buildsOwner],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: alone } },
      {
        extends: true,
        test: {
          name: 'deployed',
          include: deployable,
          isolate: false,
          globalSetup: [buildsOwner],
        },
      },
    ],
  },
});
