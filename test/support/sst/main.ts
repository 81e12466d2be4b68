import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EvaluationOptions, evaluateStack } from './evaluate.ts';

/** `node main.ts STAGE FILE [OPTIONS]` writes the evaluated stage to the file: Pulumi's state is one per process. */
const [stage = '', file = '', options = '{}'] = process.argv.slice(2);
const outFolder = mkdtempSync(path.join(tmpdir(), 'errand-stack-'));
process.on('unhandledRejection', (error) => {
  console.error(error);
  process.exit(1);
});
const stack = await evaluateStack(stage, outFolder, JSON.parse(options) as EvaluationOptions);
writeFileSync(file, JSON.stringify(stack));
rmSync(outFolder, { recursive: true, force: true });
process.exit(0);
