import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ErrandUser, newUser } from './support/errand-process.ts';
import { type Host, startHost } from './support/host.ts';

let service: Host;
let user: ErrandUser;

beforeAll(async () => {
  service = await startHost();
  user = await newUser({ ERRAND_BASE_URL: service.origin, ERRAND_API_KEY: 'sk-a-key' });
  await writeFile(
    path.join(user.folder, 'brief.md'),
    '---\nname: brief\ndescription: Is brief.\n---\n\nBe brief.\n',
  );
});
afterAll(async () => {
  await user.leave();
  await service.close();
});

const words = 'The service answered in a form that errand does not know.\n';

describe('an answer of another form', () => {
  const commands = [
    ['models'],
    ['chat'],
    ['decide', '--state', 'x', '--question', 'a=b'],
    ['runs', 'list'],
    ['skills', 'list'],
    ['skills', 'push', 'brief.md'],
    ['skills', 'diff', 'brief.md'],
    ['usage'],
  ];
  const lies = {
    models: { data: [null] },
    chat: { data: {} },
    decide: { data: 7 },
    runs: { runs: [{ agentId: 1 }] },
    skills: { skills: 'none' },
    usage: { from: 1, to: 2, rows: null },
  };

  test.each(commands.map((command) => ({ command })))(
    'is reported as such, and not by the error that it caused: $command',
    async ({ command }) => {
      for (const body of [{}, lies[command[0] as keyof typeof lies]]) {
        service.answer({ body });
        const { code, stderr } = await user.errand(command);
        expect({ code, stderr }).toEqual({ code: 1, stderr: words });
      }
    },
  );
});

test('a run whose events and costs are of other types is shown as far as it can be', async () => {
  const events = [
    { type: 'step_start', step: {}, description: 7 },
    { type: 'tool_call', toolName: {} },
    { type: 'tool_result', toolName: 'read_data' },
    { type: 'text' },
    { type: 'done', finalText: { answer: 42 } },
  ].map((event, i) => `id: ${i + 1}\ndata: ${JSON.stringify(event)}\n\n`);
  const stream = { headers: { 'Content-Type': 'text/event-stream' }, body: events.join('') };
  const usage = { credits: { much: 1 }, inputTokens: null, outputTokens: 'x' };
  // The reader asks for the question, for the events, for what comes after the last one, and then for the run.
  service.answer(
    { body: { question: { what: 1 } } },
    stream,
    { status: 204 },
    { body: { agentId: 'agent_1', status: 'succeeded', usage } },
  );
  const { code, stdout, stderr } = await user.errand(['runs', 'watch', 'agent_1']);
  expect(stderr).toContain('Question {"what":1}\n');
  expect(stderr).toContain('? EUR · ? tokens · agent_1');
  expect({ code, stdout }).toEqual({ code: 0, stdout: '{"answer":42}\n' });
});

test('a report over thousands of years still has a chart', async () => {
  const report = { from: '0000-01-01T00:00:00Z', to: '9999-01-01T00:00:00Z' };
  const rows = [{ day: '0000-01-01', amount: '1', requests: 1, inputTokens: 1, outputTokens: 1 }];
  service.answer({ body: { ...report, rows, balance: '1', reserved: '0' } });
  const { code, stdout } = await user.errand(['usage']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^█ {1,410}EUR a day$/m);
});
