import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import type { TestService } from '../support/service.ts';
import { type InstalledClient, installClient } from './support/installed-client.ts';
import { node20 } from './support/node-20.ts';

const run = promisify(execFile);

const program = `
import { createErrand, NotFoundError } from '@errand/client';
const errand = createErrand({ baseUrl: process.env.BASE, apiKey: process.env.KEY });
const said = [];
for await (const { choices } of errand.chat.stream({ model: 'writer', messages: [{ role: 'user', content: 'Hi' }] }))
  said.push(choices[0]?.delta.content ?? '');
const progress = [];
const file = new File(['The crew is of three. '.repeat(200000)], 'report.txt');
const run = await errand.runs.start({ question: 'Of how many?', tools: [] }, { file, onProgress: (step) => progress.push(step) });
const events = [];
for await (const { id } of run.events()) events.push(id);
const { answers } = await errand.decide({ model: 'judge', state: 'x', questions: { noul: { type: 'noul' } } });
const refusal = await errand.api.GET('/v1/agents/runs/{agentId}', { params: { path: { agentId: 'none' } } }).catch((error) => error);
const { status, result } = await run.wait();
console.log(JSON.stringify({
  said: said.join(''), progress: progress.at(-1), first: events[0], status, result, noul: answers.noul.noul,
  refused: refusal instanceof NotFoundError,
}));
`;

let service: TestService;
let installed: InstalledClient;

useSteadyService((started) => ({ service } = started));
beforeAll(async () => {
  installed = await installClient();
  return () => installed.remove();
});

describe.each([
  ['Node 24', process.execPath],
  ['Node 20', node20],
])('the packed client in %s', (_, node) => {
  const withNode = test.skipIf(node === undefined);

  withNode('chats, sends a file by a link, follows a run, decides and tells errors apart', async () => {
    const file = await installed.write('program.js', program);
    const env = { BASE: service.baseUrl, KEY: service.apiKey };
    const { stdout } = await run(node as string, [file], { env });
    expect(JSON.parse(stdout)).toEqual({
      ...{ said: 'Hello', progress: { sentBytes: 4_400_000, totalBytes: 4_400_000 } },
      ...{ first: 1, status: 'succeeded', result: 'Hello', noul: 0.75, refused: true },
    });
  });

  withNode('has a command that works', async () => {
    const env = { ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey, HOME: installed.folder };
    const { stdout } = await run(node as string, [installed.command, 'models', '--json'], { env });
    expect(JSON.parse(stdout).object).toBe('list');
    const help = await run(node as string, [installed.command, '--help'], { env });
    expect(help.stdout).toContain('Exit codes:');
    const version = await run(node as string, [installed.command, '--version'], { env });
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const asked = await run(node as string, [installed.command, 'ask', 'What?'], { env });
    expect(asked.stdout).toBe('Hello\n');
    const decide = ['decide', '--state', 'x', '--question', 'right=Is it right?'];
    for (const words of [['runs', 'list'], ['skills', 'list'], ['models'], decide]) {
      const { stdout: said } = await run(node as string, [installed.command, ...words], { env });
      expect([words, said]).toEqual([words, expect.stringMatching(/\S/)]);
    }
    const usage = await run(node as string, [installed.command, 'usage'], { env });
    expect(usage.stdout).toContain('EUR a day');
  });
});

test('the packed client has what it needs, and no sources or tests', async () => {
  const files = await installed.files();
  expect(files.filter((file) => !file.startsWith('types'))).toEqual([
    ...['LICENSE', 'LICENSES-OF-BUNDLED-PACKAGES', 'README.md', 'errand.js', 'index.js', 'package.json'],
  ]);
  expect(
    files.filter((file) => file.startsWith('types/') && /\.\w+$/.test(file) && !file.endsWith('.d.ts')),
  ).toEqual([]);
  const manifest = JSON.parse(
    await readFile(path.join(installed.folder, 'node_modules/@errand/client/package.json'), 'utf8'),
  );
  expect(manifest).toMatchObject({ license: 'MIT', engines: { node: '>=20' } });
  expect(manifest).not.toHaveProperty('private');
  expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
});

test('the packed client imports nothing but its dependency, so that browsers can have it', async () => {
  const text = await readFile(path.join(installed.folder, 'node_modules/@errand/client/index.js'), 'utf8');
  const imports = [...text.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*["']([^"']+)["']/g)].map(
    ([, name]) => name,
  );
  expect(imports).toEqual(['openapi-fetch']);
});

test('the packed client’s types accept a right program and refuse a wrong one', async () => {
  await installed.write(
    'typed.ts',
    `import { createErrand } from '@errand/client';
const errand = createErrand({ baseUrl: '', apiKey: '' });
const decision = await errand.decide({ model: 'm', state: null, questions: { team: { type: 'choice', criteria: { a: null, b: null } } } });
const right: 'a' | 'b' = decision.answers.team.choice;
const wrong: 'c' = decision.answers.team.choice;
for await (const event of errand.runs.follow('x')) if (event.type === 'done') event.finalText.length + event.id;
const { data } = await errand.api.GET('/v1/models');
data.data[0]?.id.toUpperCase();
errand.runs.start({ query: 'no question' });
export { right, wrong };
`,
  );
  const said = await installed.compile('typed.ts');
  const lines = [...said.matchAll(/typed\.ts\((\d+),/g)].map(([, line]) => Number(line));
  expect(lines).toEqual([5, 9]);
  expect(said.match(/error TS/g)).toHaveLength(2);
});
