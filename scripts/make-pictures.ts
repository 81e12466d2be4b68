import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from './bundle-function.ts';
import { startRecording } from './pictures/record.ts';
import { writeSvg } from './pictures/write-svg.ts';

const size = { columns: 110, height: 34 };

/** Records a first run in a terminal: the start, and the commands that it prints, as they are. */
async function recordFirstRun(file: string): Promise<void> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'errand-pictures-'));
  const recording = startRecording({
    ...size,
    cwd: root,
    env: { ...process.env, PORT: '8787', DATA_DIR: dataDir, npm_config_loglevel: 'error' },
    // The key is good for nothing once the folder is gone. Nobody should wonder.
    redact: (output) => output.replace(/(?<=errand_)\w{20,}/g, (key) => 'x'.repeat(key.length)),
  });
  try {
    const printed = await recording.run('npm start --silent', {
      shown: 'npm start',
      until: /\nDecide something:([^\n]*\n){4}/,
    });
    const commands = printed.replaceAll('\r', '').matchAll(/^\S.*:\n((?: {2}.*\n)+)/gm);
    for (const [, command = ''] of commands) await recording.run(command.trim());
    const title = 'A terminal in which npm start prints commands, and each of them is run';
    await writeFile(file, writeSvg(recording.frames(), size, title));
  } finally {
    recording.stop();
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 500 });
  }
}

const folder = path.join(root, 'docs/pictures');
await mkdir(folder, { recursive: true });
await recordFirstRun(path.join(folder, 'first-run.svg'));
