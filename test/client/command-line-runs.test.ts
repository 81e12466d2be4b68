import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { inTurn, type Provider } from '../support/model-server.ts';
import { startUpstream } from '../support/scripted-upstream.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { controlStart, type ErrandUser, linesOf, newUser } from './support/errand-process.ts';

let provider: Provider;
let service: TestService;
let user: ErrandUser;

useService((started) => ({ provider, service } = started));
beforeAll(async () => {
  user = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey });
});
afterAll(() => user.leave());

const idIn = (text: string): string => /runs watch (\S+)/.exec(text)?.[1] ?? '';

const followedIn = (text: string): string => /ask --follow ([\w-]+)/.exec(text)?.[1] ?? '';

describe('errand ask, piped', () => {
  test('writes the answer alone to stdout, and the steps without colour to stderr', async () => {
    provider.script(
      inTurn(
        { calls: [{ name: 'read_data', args: {} }] },
        { text: 'Forty-two.' },
        { calls: [{ name: 'confirm_answer', args: { answer: 'Forty-two!' } }] },
      ),
    );
    const { code, stdout, stderr } = await user.errand(['ask', 'What', 'is', 'it?', '--max-credits', '0.50']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Forty-two!\n' });
    expect(stderr).toContain('Step 1 Working on the question\n  read_data {}\n');
    expect(stderr).toMatch(/EUR · \d+ tokens · writer · \S+\n$/);
    expect(stderr).not.toContain(controlStart);
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('What is it?');
  });

  test('reads the question from stdin where it is a hyphen', async () => {
    provider.script(inTurn({ text: 'Forty-two.' }));
    const ended = await user.errand(['ask', '-', '--max-credits', '0.50'], 'What is it,\nin one word?\n');
    expect(ended).toMatchObject({ code: 0, stdout: 'Forty-two.\n' });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('What is it,\\nin one word?');
    const empty = await user.errand(['ask', '-'], ' \n');
    expect(empty).toMatchObject({ code: 2, stdout: '' });
  });

  test('writes JSON lines: the id, each event, and the run', async () => {
    provider.script(inTurn({ text: 'Forty-two.' }));
    const ended = await user.errand(['ask', 'What is it?', '--json']);
    const lines = linesOf(ended);
    expect(lines[0]).toEqual({ agentId: expect.any(String) });
    expect(lines.slice(1, -1)).toEqual(await service.follow(lines[0].agentId));
    expect(lines.at(-1).run).toMatchObject({ status: 'succeeded', result: 'Forty-two.' });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
  });

  test('sends a file along, by a link if it is over a form’s size', async () => {
    for (const bytes of [1000, 3_600_000]) {
      await writeFile(path.join(user.folder, 'report.txt'), 'The crew is of three. '.repeat(bytes / 22));
      provider.script(inTurn({ text: 'Of three.' }));
      const ended = await user.errand(['ask', 'Of how many?', '--file', 'report.txt', '--tools', '']);
      expect(ended).toMatchObject({ code: 0, stdout: 'Of three.\n' });
      expect(ended.stderr).not.toContain('%');
      expect(JSON.stringify(provider.requests[0]?.messages)).toContain('The crew is of three.');
    }
  });

  test('gives a run the servers of tools that it names, by name or in a file', async () => {
    const server = { label: 'down', url: 'https://tools.invalid/mcp', authorization: 'token-1' };
    await writeFile(path.join(user.folder, 'servers.json'), JSON.stringify([server]));
    provider.script(inTurn({ text: 'Done.' }));
    const ended = await user.errand(['ask', 'What is it?', '--mcp', '@servers.json']);
    expect(ended).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(ended.stderr).toContain('down__list_tools');
    const refused = await user.errand(['ask', 'What is it?', '--mcp', 'missing']);
    expect(refused.stderr).toContain('--mcp: names no server that this account may use');
    const unknown = await user.errand(['ask', 'What is it?', '--tools', 'fly']);
    expect(unknown.stderr).toMatch(/^--tools: must be one of /m);
    await writeFile(path.join(user.folder, 'servers.json'), '"nothing"');
    const unread = await user.errand(['ask', 'What is it?', '--mcp', '@servers.json']);
    expect(unread.stderr).toContain('neither a server of tools nor a list of them');
  });

  test('exits with code 1 and the reason if the run fails', async () => {
    provider.script(() => ({ status: 400, body: '{"error":{"message":"No such thing."}}' }));
    const { code, stdout, stderr } = await user.errand(['ask', 'What?']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('No such thing.');
  });

  test('exits with code 5, what is missing and how to go on if the run needs more input', async () => {
    const expected = [{ name: 'file', description: 'The report.' }];
    provider.script(
      inTurn({ calls: [{ name: 'request_input', args: { message: 'Which one?', expected } }] }),
    );
    const { code, stderr } = await user.errand(['ask', 'What does the report say?']);
    expect(code).toBe(5);
    expect(stderr).toContain('Which one?');
    expect(stderr).toContain('  file The report.\n');
    const agentId = followedIn(stderr);
    expect((await user.errand(['runs', 'watch', agentId])).code).toBe(5);
    const again = await user.errand(['ask', '--follow', agentId]);
    expect(again).toMatchObject({ code: 5, stdout: '' });
    expect(again.stderr).toContain('Which one?');
    await writeFile(path.join(user.folder, 'asked.txt'), 'The crew is of three.');
    provider.script(inTurn({ text: 'Three.' }));
    const ended = await user.errand(['ask', '--follow', agentId, '--file', 'asked.txt']);
    expect(ended).toMatchObject({ code: 0, stdout: 'Three.\n' });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('The crew is of three.');
  });

  test('exits with code 5 and each call, with its arguments escaped, if the run needs approval', async () => {
    const args = { name: 'seen', value: `yes\u001b[2J\u202e\u{e0041}\u{e0148}` };
    provider.script(inTurn({ calls: [{ name: 'save_data', args }] }));
    const ended = await user.errand(['ask', 'Remember it.', '--approve', 'writes']);
    expect(ended).toMatchObject({ code: 5, stdout: '' });
    expect(ended.stderr).toContain(
      `  save_data {"name":"seen","value":"yes\\u001b[2J\\u202e\\udb40\\udc41\\udb40\\udd48"}\n`,
    );
    const json = await user.errand(['ask', '--follow', followedIn(ended.stderr), '--json']);
    expect(json).toMatchObject({ code: 5, stderr: '' });
    expect(linesOf(json)[0].run.asked.calls).toMatchObject([{ name: 'save_data', type: 'approval' }]);
    const refused = await user.errand(['ask', 'Remember it.', '--approve', 'fly']);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('--approve: names no tool of the run: fly');
  });

  test('goes on from a run with --follow, whose chain is listed', async () => {
    provider.script(inTurn({ text: 'At noon.' }));
    const first = linesOf(await user.errand(['ask', 'When is high water?', '--json']))[0].agentId;
    provider.script(inTurn({ text: 'At one.' }));
    const next = linesOf(await user.errand(['ask', 'And tomorrow?', '--follow', first, '--json']));
    expect(next.at(-1).run).toMatchObject({ previousRunId: first, result: 'At one.' });
    expect(provider.requests[0]?.messages.map(({ role }) => role)).toEqual([
      ...['system', 'user', 'assistant', 'user'],
    ]);
    const [{ runs }] = linesOf(await user.errand(['runs', '--thread', first, '--json']));
    expect(runs.map(({ agentId }: { agentId: string }) => agentId)).toEqual([next[0].agentId, first]);
    const missing = await user.errand(['ask']);
    expect(missing).toMatchObject({ code: 2 });
  });
});

describe('errand ask, with a schema', () => {
  const rows = [
    { port: 'Den Helder', hours: -2 },
    { port: '=HYPERLINK("x")', hours: 3 },
  ];
  const row = {
    type: 'object',
    properties: { port: { type: 'string' }, hours: { type: 'integer' } },
    required: ['port', 'hours'],
  };
  const schema = {
    type: 'object',
    properties: { title: { type: 'string' }, rows: { type: 'array', items: row } },
    required: ['title'],
  };
  const written = (value: object) => ({ text: JSON.stringify({ value, sources: [] }) });
  const confirmed = { calls: [{ name: 'confirm_answer', args: {} }] };
  const value = { title: 'Delays', rows };

  beforeAll(() => writeFile(path.join(user.folder, 'delays.json'), JSON.stringify(schema)));

  test('writes the value alone to stdout, as one line of JSON', async () => {
    provider.script(inTurn({ text: 'Two ports.' }, written(value), confirmed));
    const ended = await user.errand(['ask', 'Which delays?', '--schema', 'delays.json']);
    expect(ended).toMatchObject({ code: 0, stdout: `${JSON.stringify(value)}\n` });
    expect(ended.stderr).not.toContain('Two ports.');
  });

  test('writes the first list of objects as CSV', async () => {
    provider.script(inTurn({ text: 'Two ports.' }, written(value), confirmed));
    const ended = await user.errand(['ask', 'Which delays?', '--schema', 'delays.json', '--csv']);
    const csv = 'port,hours\r\nDen Helder,-2\r\n"\'=HYPERLINK(""x"")",3\r\n';
    expect(ended).toMatchObject({ code: 0, stdout: csv });
  });

  test('exits with code 1 where the value has no list of objects', async () => {
    provider.script(inTurn({ text: 'None.' }, written({ title: 'None' }), confirmed));
    const ended = await user.errand(['ask', 'Which delays?', '--schema', 'delays.json', '--csv']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/has no list of objects\. It is: errand runs watch \S+\n/);
  });

  test('exits with code 1, the reasons and a way on if nothing fits', async () => {
    provider.script(inTurn({ text: 'Two ports.' }, written({ title: 3 })));
    const ended = await user.errand(['ask', 'Which delays?', '--schema', 'delays.json']);
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/\/title: .*\nNothing that the model wrote fits the schema\./);
    expect(followedIn(ended.stderr)).not.toBe('');
  });

  test('shows neither what was found nor the value twice in a terminal', async () => {
    provider.script(inTurn({ text: 'Two ports.' }, written(value), confirmed));
    const { stdout } = await user.inTerminal(['ask', 'Which?', '--schema', 'delays.json']).ended;
    expect(stdout.replaceAll(/\r?\n/g, '').split('"Delays"')).toHaveLength(2);
    expect(stdout).not.toContain('Two ports.');
  });

  test('names what is wrong with the schema, and refuses options that do not go together', async () => {
    await writeFile(path.join(user.folder, 'wrong.json'), '{"type":"object","not":{}}');
    const refused = await user.errand(['ask', 'Which?', '--schema', 'wrong.json']);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^--schema.*not/m);
    await writeFile(path.join(user.folder, 'wrong.json'), '[]');
    for (const options of [
      ['--schema', 'wrong.json'],
      ['--schema', 'missing.json'],
      ['--csv'],
      ['--schema', 'delays.json', '--csv', '--json'],
    ])
      expect(await user.errand(['ask', 'Which?', ...options])).toMatchObject({ code: 2 });
  });
});

describe('errand ask, in a terminal', () => {
  test('shows steps in colour, and each text as it comes, once', async () => {
    provider.script(inTurn({ text: 'Forty-two.' }, { text: 'Forty-two.' }));
    const { code, stdout } = await user.inTerminal(['ask', 'What is it?']).ended;
    expect(code).toBe(0);
    expect(stdout).toContain(`${controlStart}[1mStep 1${controlStart}[22m`);
    expect(stdout.split('Forty-two.')).toHaveLength(2);
  });

  test('shows no colour where NO_COLOR is set', async () => {
    const plain = await newUser({
      ERRAND_BASE_URL: service.baseUrl,
      ERRAND_API_KEY: service.apiKey,
      NO_COLOR: '1',
    });
    provider.script(inTurn({ text: 'Forty-two.' }));
    await writeFile(path.join(plain.folder, 'report.txt'), 'Three.');
    const { stdout } = await plain.inTerminal(['ask', 'What is it?', '--file', 'report.txt']).ended;
    expect(stdout).toContain('Forty-two.');
    expect(stdout).not.toContain(controlStart);
    await plain.leave();
  });

  test('passes no control characters of a model on', async () => {
    provider.script(inTurn({ text: 'Forty\u001b]0;owned\u0007-two.' }));
    const { stdout } = await user.inTerminal(['ask', 'What is it?']).ended;
    expect(stdout).toContain('Forty]0;owned-two.');
    expect(stdout).not.toContain(`${controlStart}]`);
  });

  test('shows how much of a file is sent', async () => {
    await writeFile(path.join(user.folder, 'report.txt'), 'The crew is of three. '.repeat(10_000));
    provider.script(inTurn({ text: 'Of three.' }));
    const { stdout } = await user.inTerminal(['ask', 'Of how many?', '--file', 'report.txt']).ended;
    expect(stdout).toContain(`report.txt ${'█'.repeat(24)} 100 % of 220 kB`);
    expect(stdout).toContain('Of three.');
  });

  test('asks about each call that needs approval, and goes on with what was said', async () => {
    const save = (name: string) => ({ name: 'save_data', args: { name, value: 'yes\u001b[2J' } });
    provider.script(inTurn({ calls: [save('first'), save('second')] }));
    const asking = user.inTerminal(['ask', 'Remember it.', '--approve', 'writes']);
    await asking.says('[y/n]');
    provider.script(inTurn({ calls: [save('third')] }, { text: 'Done.' }));
    asking.type('perhaps\r');
    await asking.says('Type y or n: ');
    asking.type('y\r');
    await asking.says('"second"');
    asking.type('n\r');
    await asking.says('Why not?');
    asking.type('Once is enough.\r');
    await asking.says('"third"');
    provider.script(inTurn({ text: 'Done.' }));
    asking.type('yes\r');
    const { code, stdout } = await asking.ended;
    expect({ code, said: stdout.includes('Done.') }).toEqual({ code: 0, said: true });
    expect(stdout).toContain('"value":"yes\\u001b[2J"');
    const told = provider.requests[0]!.messages.filter(({ role }) => role === 'tool');
    expect(told.map(({ content }) => content)).toEqual([
      expect.stringMatching(/^(?!Error)/),
      expect.stringContaining('has refused this call of save_data. Once is enough.'),
      expect.stringMatching(/^(?!Error)/),
    ]);
  });

  test('asks before it writes again, where a run that asked is taken up without --approve', async () => {
    const save = (name: string) => ({ name: 'save_data', args: { name, value: 'yes' } });
    provider.script(inTurn({ calls: [save('first')] }));
    const { stderr } = await user.errand(['ask', 'Remember it.', '--approve', 'writes']);
    const asking = user.inTerminal(['ask', '--follow', followedIn(stderr)]);
    await asking.says('[y/n]');
    provider.script(inTurn({ calls: [save('second')] }, { text: 'Done.' }));
    asking.type('y\r');
    await asking.says('"second"');
    provider.script(inTurn({ text: 'Done.' }));
    asking.type('y\r');
    const { code, stdout } = await asking.ended;
    expect({ code, asked: stdout.split('needs your approval').length - 1 }).toEqual({ code: 0, asked: 2 });
  });

  test('asks for the input that a run needs; with no answer the run waits on', async () => {
    const expected = [{ name: 'question', description: 'The harbour.' }];
    const request = { name: 'request_input', args: { message: 'Which harbour?', expected } };
    provider.script(inTurn({ calls: [request] }));
    const asking = user.inTerminal(['ask', 'When is high water?']);
    await asking.says('Your answer: ');
    asking.type('\r');
    const { code, stdout } = await asking.ended;
    expect(code).toBe(5);
    const again = user.inTerminal(['ask', '--follow', followedIn(stdout)]);
    await again.says('Your answer: ');
    provider.script(inTurn({ text: 'At noon.' }));
    again.type('Den Helder\r');
    const ended = await again.ended;
    expect(ended.code).toBe(0);
    expect(ended.stdout).toContain('At noon.');
    expect(provider.requests[0]?.messages.at(-1)).toMatchObject({ role: 'tool', content: 'Den Helder' });
  });

  test('at Ctrl-C while it asks leaves the run to wait, and says how to go on', async () => {
    const save = { name: 'save_data', args: { name: 'first', value: 'yes' } };
    provider.script(inTurn({ calls: [save] }));
    const asking = user.inTerminal(['ask', 'Remember it.', '--approve', 'save_data']);
    await asking.says('[y/n]');
    asking.type('\u0003');
    const { code, stdout } = await asking.ended;
    expect(code).toBe(130);
    expect(await service.read(followedIn(stdout))).toMatchObject({ status: 'awaiting_input' });
  });

  test('at Ctrl-C leaves the run to go on, and says how to watch it and cancel it', async () => {
    provider.script(() => 'hang');
    const asking = user.inTerminal(['ask', 'What is it?']);
    await asking.says('Step 1');
    asking.type('\u0003');
    const { code, stdout } = await asking.ended;
    expect(code).toBe(130);
    const agentId = idIn(stdout);
    expect(stdout).toContain(`errand runs cancel ${agentId}`);
    expect(await service.read(agentId)).toMatchObject({ status: 'running' });
    expect((await user.errand(['runs', 'list', '--status', 'running'])).stdout).toContain(agentId);
    const { code: cancelled } = await user.errand(['runs', 'cancel', agentId]);
    expect(cancelled).toBe(0);
    const watched = await user.errand(['runs', 'watch', agentId, '--json']);
    expect(watched.code).toBe(1);
    expect(linesOf(watched).at(-1).run).toMatchObject({ status: 'failed', error: 'Cancelled' });
    const { stdout: listed } = await user.errand(['runs', 'list', '--status', 'failed']);
    expect(listed).toMatch(new RegExp(`^${agentId} +cancelled `, 'm'));
    const { stdout: over } = await user.errand(['runs', 'cancel', agentId]);
    expect(over).toBe(`${agentId} is over: cancelled.\n`);
  });

  test('at a second Ctrl-C cancels the run', async () => {
    provider.script(() => 'hang');
    const asking = user.inTerminal(['ask', 'What is it?']);
    await asking.says('Step 1');
    asking.type('\u0003');
    await asking.says('The run goes on.');
    asking.type('\u0003');
    const { code, stdout } = await asking.ended;
    expect(code).toBe(130);
    const events = await service.follow(idIn(stdout));
    expect(events.at(-1)).toMatchObject({ type: 'error', message: 'Cancelled' });
  });
});

describe('errand runs', () => {
  test('lists what was asked, finds runs by words of it, and those that were cancelled', async () => {
    const { key } = await service.newAccount();
    const asker = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: key });
    provider.script(() => ({ text: 'Three.' }));
    await asker.errand(['ask', 'How many sail on the ferry?']);
    provider.script(() => 'hang');
    const agentId = await service.start({ question: 'How long is the quay?\nIn metres.' }, key);
    await asker.errand(['runs', 'cancel', agentId]);
    const asked = async (...words: string[]) =>
      linesOf(await asker.errand(['runs', ...words, '--json'])).flatMap(({ runs }) =>
        runs.map(({ question }: { question: string }) => question),
      );
    const table = (await asker.errand(['runs'])).stdout;
    expect(table).toMatch(/^RUN .* QUESTION$/m);
    expect(table).toMatch(/ writer +How many sail on the ferry\?$/m);
    expect(table).toMatch(/ How long is the quay\?$/m);
    expect(await asked('--search', 'FERRY', 'many')).toEqual(['How many sail on the ferry?']);
    expect(await asked('--search', 'how', '--status', 'cancelled')).toEqual(['How long is the quay?']);
    expect((await asker.errand(['runs', 'list', '--search', 'none'])).stdout).toBe('No runs.\n');
    const watched = await asker.errand(['runs', 'watch', agentId]);
    expect(watched.stderr).toMatch(/^Question How long is the quay\? In metres\.\n/);
    await asker.leave();
  });

  test.each(['watch', 'cancel'])('%s says that there is no such run', async (command) => {
    const { code, stderr } = await user.errand(['runs', command, 'nope']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^There is no run nope for this key\./);
  });

  test('list reads on after a cursor', async () => {
    const { key } = await service.newAccount();
    const asker = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: key });
    provider.script(() => ({ text: 'Three.' }));
    for (const question of ['First?', 'Second?']) await asker.errand(['ask', question]);
    const page = async (...words: string[]) =>
      linesOf(await asker.errand(['runs', 'list', '--limit', '1', '--json', ...words]))[0];
    const newest = await page();
    const next = await page('--cursor', newest.cursor);
    expect([newest, next].map(({ runs }) => runs[0].question)).toEqual(['Second?', 'First?']);
    await asker.leave();
  });

  test('says so where its subcommand is misspelt', async () => {
    const { code, stderr } = await user.errand(['runs', 'wacth', 'agent_1']);
    expect(code).toBe(2);
    expect(stderr).toContain('wacth');
  });
});

const endedRun = {
  ...{ agentId: 'agent_1', status: 'succeeded', result: 'Forty.', citations: [] },
  usage: { inputTokens: 1, outputTokens: 1, cachedInputTokens: 0, completions: 1, credits: '0.01' },
};
const doneEvent = 'id: 1\nevent: done\ndata: {"type":"done","id":1,"finalText":"Forty."}\n\n';

/** What errand says while it watches a run whose streams have these pieces, one stream after the other. */
async function saidWatching(...streams: string[][]): Promise<string> {
  const server = await startUpstream();
  const rest = [...streams];
  server.script(async (wire, { path: asked, headers }) => {
    if (!asked.endsWith('/stream')) return wire.json(200, endedRun);
    if (headers['last-event-id']) return wire.json(204, '');
    await wire.head();
    await wire.send('retry: 250\n\n', ...(rest.shift() ?? []));
    wire.end();
  });
  const asker = await newUser({ ERRAND_BASE_URL: server.baseUrl, ERRAND_API_KEY: 'sk-key' });
  const { stderr } = await asker.errand(['runs', 'watch', 'agent_1']);
  await asker.leave();
  await server.close();
  return stderr;
}

const waitUntil = (retryAt: string) =>
  `: waiting ${JSON.stringify({ for: 'model_provider', since: '2026-11-24T10:00:00Z', retryAt })}\n\n`;

describe('errand runs watch says', () => {
  const [first, second] = ['2100-11-24T10:00:05Z', '2100-11-24T10:00:15Z'];
  const clock = (at: string) => `asked again at ${new Date(at).toLocaleTimeString('en-GB')}`;

  test('of each pause of a wait once when the provider is asked again', async () => {
    const pieces = [first, first, second, second].map(waitUntil);
    const lines = (await saidWatching([...pieces, doneEvent])).match(/asked again at [\d:]+/g);
    expect(lines).toEqual([clock(first), clock(second)]);
  });

  test('that it is connected again, and what the run waits for then', async () => {
    const said = await saidWatching([waitUntil(first)], [waitUntil(first), doneEvent]);
    expect(said).toMatch(
      /asked again at .+\nThe stream ended\. Asking again in 1 s\.\nConnected again\.\nWaiting for the model provider .+\n/,
    );
    expect(await saidWatching([doneEvent])).not.toContain('Connected again');
  });
});

test('errand runs watch ends with the exit code of spent credits where they ended the run', async () => {
  const poor = await startUpstream();
  const run = { ...endedRun, stopReason: 'credits' };
  poor.script(async (wire, { path: asked, headers }) => {
    if (!asked.endsWith('/stream')) return wire.json(200, run);
    if (headers['last-event-id']) return wire.json(204, '');
    await wire.head();
    await wire.send(doneEvent);
    wire.end();
  });
  const asker = await newUser({ ERRAND_BASE_URL: poor.baseUrl, ERRAND_API_KEY: 'sk-key' });
  const { code, stdout, stderr } = await asker.errand(['runs', 'watch', 'agent_1']);
  expect({ code, stdout }).toEqual({ code: 4, stdout: 'Forty.\n' });
  expect(stderr).toContain('The run had to stop early: credits.');
  await asker.leave();
  await poor.close();
});

test('errand chat, in a terminal, stops an answer at Ctrl-C and goes on', async () => {
  provider.script(() => 'hang');
  const chat = user.inTerminal(['chat']);
  await chat.says('> ');
  chat.type('Hi\r');
  await eventually(() => provider.requests.length).toBe(1);
  chat.type('\u0003');
  await chat.says('Stopped.');
  chat.type('\u0004');
  expect((await chat.ended).code).toBe(0);
});
