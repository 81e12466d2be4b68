import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Evaluation, evaluateStack } from './evaluate.ts';

/** A stage to evaluate, and the file that it is written to. */
export interface Order {
  file: string;
  evaluation: Evaluation;
}

// Evaluates the stages that its parent sends, one at a time. What goes wrong ends the process, and is on stderr.
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
process.on('message', async ({ file, evaluation }: Order) => {
  const outFolder = mkdtempSync(path.join(tmpdir(), 'errand-stack-'));
  writeFileSync(file, JSON.stringify(await evaluateStack(evaluation, outFolder)));
  rmSync(outFolder, { recursive: true, force: true });
  process.send?.('written');
});
process.once('disconnect', () => process.exit(0));
