import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Evaluation, evaluateStack } from './evaluate.ts';

/** `node main.ts FILE EVALUATION` writes the evaluated stage to the file. */
const [file = '', evaluation = ''] = process.argv.slice(2);
const outFolder = mkdtempSync(path.join(tmpdir(), 'errand-stack-'));
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
const stack = await evaluateStack(JSON.parse(evaluation) as Evaluation, outFolder);
writeFileSync(file, JSON.stringify(stack));
rmSync(outFolder, { recursive: true, force: true });
process.exit(0);
