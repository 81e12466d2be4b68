import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseEvents } from '../support/service.ts';
import { printedCommands, shellBlocks } from './read-commands.ts';

const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
let printed = '';
let stop: () => Promise<void>;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'errand-first-'));
  await mkdir(path.join(folder, '.local'));
  const links = ['samples', 'package.json', 'packages', 'scripts', 'node_modules'];
  await Promise.all(links.map((name) => symlink(path.join(root, name), path.join(folder, name))));
  const { MODEL_CATALOGUE: _, MODEL_BASE_URL: __, MODEL_ID: ___, ...env } = process.env;
  const start = spawn('npm', ['start'], {
    cwd: root,
    env: { ...env, PORT: '0', DATA_DIR: path.join(folder, '.local') },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  stop = async () => {
    const ended = once(start, 'exit');
    process.kill(-start.pid!, 'SIGTERM');
    await ended;
  };
  for await (const line of createInterface({ input: start.stdout })) {
    printed += `${line}\n`;
    if (/^Decide something:/m.test(printed) && line === '') break;
  }
});

afterAll(async () => {
  await stop();
  await rm(folder, { recursive: true });
});

/** What bash prints for the commands, in a folder that has what the project's has. Rejects if one fails. */
async function run(commands: string, cwd = folder): Promise<string> {
  const bash = spawn('bash', ['-euo', 'pipefail', '-c', commands], {
    cwd,
    env: { ...process.env, XDG_CONFIG_HOME: path.join(folder, 'config') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [status]] = await Promise.all([text(bash.stdout), once(bash, 'exit')]);
  if (status !== 0) throw new Error(`bash ended with ${status}: ${output}`);
  return output;
}

/** What all runs about the sample must say, with its source. */
const aboutSample = [
  '"In 2025, 1,284 ships called at Ellerhaven, 96 more than the year before." [1]',
  '"Fog was the main cause of delays: ships waited 410 hours outside the harbour, against 260 hours in 2024." [1]',
];

const saidIn = (stream: string): string => {
  const events = parseEvents(stream);
  expect(events.at(-1)?.type).toBe('done');
  return JSON.stringify(events.filter(({ type }) => type === 'text' || type === 'done'));
};

describe('the commands that a start prints', () => {
  test('ask about the report that comes along, and watch the answer come', async () => {
    const commands = printedCommands(printed);
    const asked = await run(commands['Ask something about the report that comes along'] ?? '');
    const { agentId } = JSON.parse(asked);
    expect(agentId).toMatch(/^[0-9a-f-]{36}$/);
    const said = saidIn(await run(commands['Watch the newest run to its answer'] ?? ''));
    for (const quote of aboutSample) expect(said).toContain(JSON.stringify(quote).slice(1, -1));
  });

  test('decide something', async () => {
    const { answers } = JSON.parse(await run(printedCommands(printed)['Decide something'] ?? ''));
    expect(answers.refund.noul).toBeGreaterThan(0.5);
  });

  test('come after the base URL and the key', () => {
    expect(printed).toMatch(
      /^.*\n*Errand is running at (http:\S+)\nAPI key: (errand_\w+)\n(.*\n)*Ask something[^\n]*:\n {2}curl -s \1/m,
    );
  });
});

test("README's first run works as it stands, and its answer cites the report", async () => {
  const blocks = shellBlocks(await readFile(path.join(root, 'README.md'), 'utf8'), 'A first run');
  expect(blocks).toHaveLength(4);
  const separator = 'echo; echo ----';
  const output = await run(blocks.join(`\n${separator}\n`).replaceAll(/^(?=curl)/gm, `${separator}\n`));
  const [terminal, , stream = '', run_ = '', , skill = '', chat = '', , decision = ''] =
    output.split('----\n');
  expect(terminal).toContain('Fog was the main cause of delays');
  const said = saidIn(stream);
  const { result, citations } = JSON.parse(run_);
  for (const quote of aboutSample) {
    expect(said).toContain(JSON.stringify(quote).slice(1, -1));
    expect(result).toContain(quote);
  }
  expect(citations.map(({ filename }: { filename: string }) => filename)).toEqual([
    'harbour-report.pdf',
    'harbour-report.pdf',
  ]);
  expect(citations[1].passage).toContain('Fog was the main cause of delays');
  expect(JSON.parse(skill)).toMatchObject({ name: 'pirate' });
  const chunks = [...chat.matchAll(/"content":("(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
    JSON.parse(text),
  );
  expect(chunks.join('')).toContain('Answer like a pirate.');
  expect(JSON.parse(decision).answers).toMatchObject({ queue: { choice: 'returns' } });
});

test('the first commands of docs/command-line.md work as they stand', async () => {
  const [block = ''] = shellBlocks(
    await readFile(path.join(root, 'docs/command-line.md'), 'utf8'),
    'First commands',
  );
  const { baseUrl, apiKey } = JSON.parse(await readFile(path.join(folder, '.local/service.json'), 'utf8'));
  const output = await run(`BASE=${baseUrl} KEY=${apiKey}\n${block}`, root);
  expect(output).toContain('Fog was the main cause of delays');
  expect(output).not.toContain(apiKey);
});

test('the commands of docs/agents.md work as they stand, one after the other', async () => {
  const page = await readFile(path.join(root, 'docs/agents.md'), 'utf8');
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(5);
  // What npm adds is seen above.
  const withoutNpm = `npm() { "${process.execPath}" packages/client/errand.ts "\${@:5}"; }\n`;
  const output = await run(withoutNpm + blocks.join(''));
  for (const name of ['researcher', 'invoices', 'mail-answers'])
    expect(output).toContain(`${name} is new: version 1.`);
  expect(output).toContain('supplier,invoice,date,item,quantity,unitPrice,amount,currency');
  expect(output).toMatch(/^\S+ \S+ UTC +(running|succeeded) +\S+ +asked for$/m);
  expect(output).toContain('"draft":');
  expect(output).toContain('researcher is at version 3, which is as version 1 was.');
});
