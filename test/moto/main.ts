import path from 'node:path';
import { startVitest } from 'vitest/node';
import { type Comparison, compare, type Result } from './compare.ts';
import { differences } from './differences.ts';
import { motoServer, startMoto } from './start-moto.ts';

const root = path.resolve(import.meta.dirname, '../..');

const help = (reason: string) => `${motoServer()}: ${reason}
moto is needed. Install it outside of this folder, and say where it is:

    python3 -m venv ~/.cache/moto && ~/.cache/moto/bin/pip install 'moto[server]==5.2.1'
    MOTO_SERVER=~/.cache/moto/bin/moto_server npm run test:moto
`;

async function tryMoto(): Promise<void> {
  try {
    await (await startMoto()).close();
  } catch (error) {
    console.error(help(error instanceof Error ? error.message : String(error)));
    process.exit(2);
  }
}

/** `FILTER`s choose among the files of `store-tests.ts`, as with `npm test`. */
async function runTests(filters: string[]): Promise<{ results: Result[]; errors: number }> {
  const config = path.join(import.meta.dirname, 'vitest.config.ts');
  const vitest = await startVitest('test', filters, { config, watch: false, run: true });
  const modules = vitest.state.getTestModules();
  const results = modules.flatMap((module) =>
    [...module.children.allTests()].map((test): Result => {
      const { state } = test.result();
      return {
        file: path.relative(root, module.moduleId),
        name: test.fullName,
        state: state === 'pending' ? 'failed' : state,
      };
    }),
  );
  const broken = modules.filter((module) => module.errors().length > 0);
  const errors = broken.length + vitest.state.getUnhandledErrors().length;
  await vitest.close();
  return { results, errors };
}

function report({ passed, known, unknown, outdated }: Comparison, errors: number): void {
  for (const { result, reason } of known) console.log(`moto ${reason}: ${result.file} > ${result.name}`);
  for (const { file, name } of unknown) console.log(`FAILED, and no difference says why: ${file} > ${name}`);
  for (const { file, name } of outdated)
    console.log(`PASSED, though a difference says that moto fails it: ${file} > ${name}`);
  console.log(
    `On moto: ${passed} passed, ${known.length} differ as known, ${unknown.length} failed, ${errors} errors outside of tests.`,
  );
}

await tryMoto();
const { results, errors } = await runTests(process.argv.slice(2));
const comparison = compare(results, differences);
report(comparison, errors);
const isRight = comparison.unknown.length + comparison.outdated.length + errors === 0;
process.exit(isRight && comparison.passed > 0 ? 0 : 1);
