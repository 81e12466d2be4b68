import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './bundle-function.ts';
import { startRecording } from './pictures/record.ts';
import { writeSvg } from './pictures/write-svg.ts';

const columns = 110;
const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-pictures-'));

const npm = { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };

// The key is useless once the folder is gone, but a picture with a key would worry its readers.
const redact = (output: string) =>
  output.replace(/(?<=errand_)\w{20,}/g, (key) => 'x'.repeat(key.length)).replaceAll(dataDir, '~/.config');

const record = (height: number, env: NodeJS.ProcessEnv) =>
  startRecording({ columns, height, cwd: root, env: { ...process.env, ...npm, ...env }, redact });

/** Records a first run in a terminal: the start, and the commands that it prints, as they are. The service goes on. */
async function recordFirstRun(file: string): Promise<() => void> {
  const height = 34;
  const recording = record(height, { PORT: '8787', DATA_DIR: dataDir });
  const printed = await recording.run('npm start --silent', {
    shown: 'npm start',
    until: /\nDecide something:([^\n]*\n){4}/,
  });
  const commands = printed.replaceAll('\r', '').matchAll(/^\S.*:\n((?: {2}.*\n)+)/gm);
  for (const [, command = ''] of commands) await recording.run(command.trim());
  const title = 'A terminal in which npm start prints commands, and each of them is run';
  await writeFile(file, writeSvg(recording.frames(), { columns, height }, title));
  return recording.stop;
}

/** Records the first commands of docs/command-line.md, with the service that is in the folder. */
async function recordCommandLine(file: string): Promise<void> {
  const { baseUrl, apiKey } = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8'));
  const height = 22;
  const recording = record(height, { XDG_CONFIG_HOME: dataDir, BASE: baseUrl, KEY: apiKey });
  const page = await readFile(path.join(root, 'docs/command-line.md'), 'utf8');
  for (const [command] of page.matchAll(/^npm run -s errand -- .*$/gm)) await recording.run(command);
  await recording.run('npm run -s errand -- usage');
  const title = 'A terminal in which errand asks about a report: steps, the answer, its citations and cost';
  await writeFile(file, writeSvg(recording.frames(), { columns, height }, title));
}

const folder = path.join(root, 'docs/pictures');
let stop = () => {};
try {
  await mkdir(folder, { recursive: true });
  stop = await recordFirstRun(path.join(folder, 'first-run.svg'));
  await recordCommandLine(path.join(folder, 'errand.svg'));
} finally {
  stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
