import { readConfig } from '@errand/platform';
import { run } from './run.ts';

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

process.exitCode = await run(process.argv.slice(2), terminal, () => readConfig('local'));
