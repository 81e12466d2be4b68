import { checkouts } from '../bench/checkouts.ts';
import { evaluate } from './evaluate.ts';
import { operatorCatalogue } from './models/catalogue.ts';
import { seedFaults } from './mutations/seed-faults.ts';
import { type Options, readOptions } from './options.ts';
import { taskTable } from './report/details.ts';
import { summary } from './report/summary.ts';
import { figuresAsJson, kindTable } from './report/table.ts';

async function main(options: Options): Promise<void> {
  const { model, against, contextTokens, details, task, json, seed, record } = options;
  if (options.mutations) return console.log(await seedFaults(options));
  if (record !== undefined && against !== undefined) throw new Error('--record is for one service.');
  const evaluations = await evaluate({
    ...options,
    checkouts: checkouts(against),
    model:
      model === undefined ? undefined : { id: model, catalogue: await operatorCatalogue(process.env, model) },
    choose: ({ id }) => id.startsWith(task),
  });
  if (json) return console.log(JSON.stringify(figuresAsJson(evaluations), null, 1));
  console.log(model === undefined ? `Model: the policy, seed ${seed}.` : `Model: ${model}.`);
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
