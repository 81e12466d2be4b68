import { checkouts } from '../bench/checkouts.ts';
import { evaluate } from './evaluate.ts';
import { type Options, readOptions } from './options.ts';
import { taskTable } from './report/details.ts';
import { summary } from './report/summary.ts';
import { kindTable } from './report/table.ts';

async function main({
  kinds,
  model,
  against,
  tasksAtOnce,
  contextTokens,
  details,
  task,
}: Options): Promise<void> {
  const catalogue = process.env.MODEL_CATALOGUE;
  if (model !== undefined && !catalogue)
    throw new Error('--model names a model of the catalogue in MODEL_CATALOGUE, which is not set.');
  const evaluations = await evaluate({
    kinds,
    checkouts: checkouts(against),
    ...(model !== undefined && catalogue && { model: { id: model, catalogue } }),
    tasksAtOnce,
    contextTokens,
    choose: ({ id }) => id.startsWith(task),
  });
  console.log(model === undefined ? 'Model: the fixed policy, offline.' : `Model: ${model}.`);
  if (contextTokens !== undefined) console.log(`Context: ${contextTokens} tokens.`);
  console.log(`\n${kindTable(evaluations)}\n\n${summary(evaluations)}`);
  if (details) console.log(`\n${taskTable(evaluations)}`);
}

await Promise.resolve(process.argv.slice(2))
  .then(readOptions)
  .then(main)
  .catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  });
process.exit();
