import { readConfig } from '@errand/platform';
import { run } from './run.ts';

const terminal = {
  out: (text: string) => void process.stdout.write(`${text}\n`),
  err: (text: string) => void process.stderr.write(`${text}\n`),
};

// The command deletes what it has made before it ends at a signal.
const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(name, () => interrupted.abort(new Error('interrupted')));
// The same holds if nobody reads the output any more: `npm run -s smoke | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', () => interrupted.abort(new Error('interrupted')));

process.exitCode = await run(process.argv.slice(2), terminal, () => readConfig('local'), interrupted.signal);
process.exit();
