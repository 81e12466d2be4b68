import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './bundle-function.ts';
import { startRecording } from './pictures/record.ts';
import { writeSvg } from './pictures/write-svg.ts';

const size = { columns: 110, height: 22 };
const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-pictures-'));

const npm = { npm_config_loglevel: 'error', npm_config_update_notifier: 'false' };

// The key is useless once the folder is gone, but a picture with a key would worry its readers.
const redact = (output: string) =>
  output.replace(/(?<=errand_)\w{20,}/g, (key) => 'x'.repeat(key.length)).replaceAll(dataDir, '~/.config');

const record = (env: NodeJS.ProcessEnv) =>
  startRecording({ ...size, cwd: root, env: { ...process.env, ...npm, ...env }, redact });

/** Records the first commands of docs/command-line.md, with the service that is in the folder. */
async function recordCommandLine(file: string): Promise<void> {
  const { baseUrl, apiKey } = JSON.parse(await readFile(path.join(dataDir, 'service.json'), 'utf8'));
  const recording = record({ XDG_CONFIG_HOME: dataDir, BASE: baseUrl, KEY: apiKey });
  const page = await readFile(path.join(root, 'docs/command-line.md'), 'utf8');
  for (const [command] of page.matchAll(/^npm run -s errand -- .*$/gm)) await recording.run(command);
  const title = 'A terminal in which errand asks about a report: steps, the answer, its citations and cost';
  await writeFile(file, writeSvg(recording.frames(), size, title));
}

const folder = path.join(root, 'docs/pictures');
const service = record({ PORT: '8787', DATA_DIR: dataDir });
try {
  await mkdir(folder, { recursive: true });
  await service.run('npm start --silent', { until: /\nDecide something:([^\n]*\n){4}/ });
  await recordCommandLine(path.join(folder, 'errand.svg'));
} finally {
  service.stop();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
}
