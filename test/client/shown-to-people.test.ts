import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { type ScriptedUpstream, startUpstream, type UpstreamScript } from '../support/scripted-upstream.ts';
import { controlStart, type ErrandUser, newUser } from './support/errand-process.ts';

const apiKey = 'sk-a-key-that-nobody-may-read';
/** Both forms in which a terminal's commands begin, a turn of the line, and a key that what nobody sees cuts in three. */
const hostile =
  `${controlStart}]0;\u202eowned\u0007\u009b2J` +
  `${apiKey.slice(0, 9)}\u0007${apiKey.slice(9, 14)}\u200d${apiKey.slice(14)}`;
const controls =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u2028-\u202e\u2066-\u2069\ufeff]/;
const asSeen = (text: string) => text.replace(/\u200d/g, '');

let server: ScriptedUpstream;
let user: ErrandUser;

beforeAll(async () => {
  server = await startUpstream();
  user = await newUser({ ERRAND_BASE_URL: server.baseUrl, ERRAND_API_KEY: apiKey, NO_COLOR: '1' });
});
afterAll(async () => {
  await user.leave();
  server.close();
});

/** Answers by the beginning of the path; everything else is a refusal. */
const answer = (bodies: Record<string, unknown>): UpstreamScript => {
  const paths = Object.entries(bodies);
  return (wire, request) => {
    const [, body] = paths.find(([prefix]) => request.path.startsWith(prefix)) ?? [];
    return body === undefined ? wire.json(404, { error: hostile }) : wire.json(200, body);
  };
};

const run = {
  agentId: `agent_${hostile}`,
  status: hostile,
  model: hostile,
  question: hostile,
  createdAt: hostile,
  usage: { credits: '0', inputTokens: 0, outputTokens: 0 },
};
const skill = {
  id: 'skill_1',
  name: 'brief',
  scope: hostile,
  enabled: true,
  version: 1,
  description: hostile,
  instructions: hostile,
};
const model = {
  id: hostile,
  kind: hostile,
  pricing: { perSecond: hostile },
  capabilities: { tools: true },
};
const budget = { amount: '2', left: '1', period: 'month', endsAt: hostile };

const bodies = {
  '/v1/agents/runs?': { runs: [run] },
  '/v1/agents/runs/': run,
  '/v1/agents/runs': { runs: [run] },
  '/v1/models': { object: 'list', data: [model] },
  '/v1/skills/': skill,
  '/v1/skills': { skills: [skill] },
  '/v1/usage': { from: '2026-11-20', to: hostile, rows: [] },
  '/v1/credits': { balance: '1', reserved: '0', budget },
  '/v1/systemone': {
    answers: {
      [hostile]: { type: 'choice', choice: hostile, probabilities: { [hostile]: 1 }, confidence: 1 },
    },
  },
};

const skillFile = '---\nname: brief\ndescription: Is brief.\n---\n\nBe brief.\n';

describe('what a service, a model or a skill of others says', () => {
  const commands = [
    ['runs', 'list'],
    ['runs', 'cancel', 'agent_1'],
    ['models'],
    ['skills', 'list'],
    ['skills', 'pull', 'brief', '-'],
    ['skills', 'diff', 'brief.md'],
    ['usage'],
    ['decide', '--model', 'judge', '--state', 'x', '--question', 'a=b'],
  ];

  test.each(commands.map((words) => ({ words })))(
    'steers no terminal and shows no key: $words',
    async ({ words }) => {
      await writeFile(path.join(user.folder, 'brief.md'), skillFile);
      server.script(answer(bodies));
      const { code, stdout } = await user.inTerminal(words).ended;
      expect(code).toBe(0);
      expect(stdout).toContain('owned');
      expect(stdout).not.toMatch(controls);
      expect(asSeen(stdout)).not.toContain(apiKey);
    },
  );

  test('has no control characters in JSON either, and is complete there', async () => {
    server.script(answer({ '/v1/models': { data: [{ id: hostile.slice(0, 12) }] } }));
    const { stdout } = await user.inTerminal(['models', '--json']).ended;
    expect(stdout).not.toMatch(controls);
    expect(JSON.parse(stdout).data[0].id).toBe(hostile.slice(0, 12));
  });

  test('is passed on as it is where a skill is piped to a program', async () => {
    const markdown = `---\nname: brief\n---\n\n${hostile}`;
    server.script(answer({ '/v1/skills/': markdown, '/v1/skills': bodies['/v1/skills'] }));
    expect((await user.errand(['skills', 'pull', 'brief', '-'])).stdout).toBe(`${markdown}\n`);
  });

  test('is told of an error without its control characters, in the id of its request too', async () => {
    server.script((wire) => wire.json(400, { error: hostile }, { 'X-Request-Id': 'request-\u009b2J' }));
    const { stderr } = await user.errand(['models']);
    expect(stderr).toContain('(request request-');
    expect(stderr).not.toMatch(controls);
    expect(asSeen(stderr)).not.toContain(apiKey);
  });
});

describe('the key is in no message', () => {
  const refuse: UpstreamScript = (wire) => wire.json(400, { error: `Not ${apiKey}` });

  test('while a run’s stream is opened again', async () => {
    let asked = 0;
    server.script((wire, { path }) =>
      path.endsWith('/stream') && asked++ === 0
        ? wire.json(503, { error: `Not ${apiKey}\u009b2J` }, { 'Retry-After': '0' })
        : wire.json(404, { error: 'Not found' }),
    );
    const { stderr } = await user.errand(['runs', 'watch', 'agent_1']);
    expect(stderr).toContain('Not ***2J Asking again');
    expect(stderr).not.toMatch(controls);
  });

  test('when a turn of a chat or a cancel fails in a terminal', async () => {
    server.script(refuse);
    const chat = user.inTerminal(['chat', '--model', 'writer']);
    await chat.says('> ');
    chat.type('Hi\r');
    await chat.says('Not ***');
    chat.type('\u0004');
    expect((await chat.ended).stdout).not.toContain(apiKey);
    server.script((wire, { path: asked }) => {
      if (asked.endsWith('/stream')) return wire.head();
      return asked.endsWith('/runs') ? wire.json(202, { agentId: 'agent_1' }) : refuse(wire, {} as never);
    });
    const asking = user.inTerminal(['ask', 'What?']);
    await eventually(() => server.requests.length).toBe(2);
    asking.type('\u0003');
    await asking.says('The run goes on.');
    asking.type('\u0003');
    await asking.says('Not ***');
    expect((await asking.ended).stdout).not.toContain(apiKey);
  });

  test('in JSON for scripts', async () => {
    server.script(refuse);
    const { stdout } = await user.errand(['models', '--json']);
    expect(JSON.parse(stdout).error.message).toBe('Not ***');
    server.script((wire) => wire.json(400, { error: `Not ${apiKey.slice(0, 9)}\u200b${apiKey.slice(9)}` }));
    expect(JSON.parse((await user.errand(['models', '--json'])).stdout).error.message).toBe('Not ***');
  });

  test('of a chat that repeats the key piece by piece', async () => {
    const pieces = [
      'It is ',
      apiKey.slice(0, 1),
      apiKey.slice(1, 12),
      '\u200d',
      apiKey.slice(12),
      ', or sk-a',
    ];
    const chunks = pieces.map(
      (content) => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`,
    );
    server.script(async (wire) => {
      await wire.head();
      await wire.send(...chunks, 'data: [DONE]\n\n');
      wire.end();
    });
    const said = await user.errand(['chat', '--model', 'writer'], 'What is the key?\n');
    expect(said).toMatchObject({ code: 0, stdout: 'It is ***, or sk-a\n' });
  });
});
