import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import { simpleCatalogue, type TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type ErrandUser, linesOf, newUser } from './support/errand-process.ts';

let provider: Provider;
let service: TestService;
let user: ErrandUser;

useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => {
    const upstream = { baseUrl, model: 'upstream-judge' };
    const judge = { id: 'judge', kind: 'decision', upstream, price: { inputPerMillionTokens: 1 } };
    return { catalogue: simpleCatalogue(baseUrl, { models: [judge], roles: { decision: 'judge' } }) };
  },
);
beforeAll(async () => {
  user = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey });
  return () => user.leave();
});

const told = async (...words: string[]) => {
  const { code, stdout, stderr } = await user.errand(words);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
};
const read = async (...words: string[]) => JSON.parse(await told(...words, '--json'));
const write = (name: string, json: object) => writeFile(path.join(user.folder, name), JSON.stringify(json));

const sorter = {
  name: 'sorter',
  description: 'Sorts mails.',
  instructions: 'Sort the mail.',
  tools: ['save_data'],
  maxCredits: '0.50',
};

describe('errand agent', () => {
  test('stores an agent from a file, in which options replace fields, lists it, and shows what a file may be made of', async () => {
    await write('sorter.json', sorter);
    await writeFile(path.join(user.folder, 'words.txt'), 'Sort it by urgency.\n');
    const words = ['--file', 'sorter.json', '--instructions', '@words.txt', '--effort', 'low'];
    expect(await told('agent', 'create', ...words)).toBe('sorter is new: version 1.\n');
    expect(await told('agents', 'list')).toMatch(/^sorter +user +1 +Sorts mails\.$/m);
    const shown = await read('agent', 'show', 'sorter');
    expect(shown).toMatchObject({ ...sorter, instructions: 'Sort it by urgency.\n', effort: 'low' });
    expect(await told('agent', 'show', 'sorter')).toMatch(
      /^name: sorter\n(.*\n)*tools: \["save_data"\]\n(.*\n)*\nSort it by urgency\.\n/m,
    );
    await write('shown.json', shown);
    expect(await read('agent', 'update', '--file', 'shown.json')).toMatchObject({ version: 1 });
  });

  test('changes what options say, and with a file everything to what the file says', async () => {
    await write('kept.json', { ...sorter, name: 'kept' });
    await told('agent', 'create', '--file', 'kept.json');
    const changed = await read('agent', 'update', 'kept', '--max-credits', '0.20', '--open', 'model,effort');
    expect(changed).toMatchObject({ version: 2, maxCredits: '0.20', open: ['model', 'effort'] });
    const without = await read('agent', 'update', 'kept', '--remove', 'maxCredits,tools', '--disable');
    expect(without).toMatchObject({ version: 3, enabled: false, open: ['model', 'effort'] });
    expect([without.maxCredits, without.tools]).toEqual([undefined, undefined]);
    const words = ['--file', 'kept.json', '--enable', '--remove', 'tools'];
    const asFile = await read('agent', 'update', ...words);
    expect(asFile).toMatchObject({ version: 4, enabled: true, maxCredits: '0.50' });
    expect([asFile.open, asFile.tools]).toEqual([undefined, undefined]);
  });

  test('shows, restores and deletes what was published', async () => {
    await told('agent', 'create', 'old', '--instructions', 'Be brief.', '--tools', '');
    await told('agent', 'update', 'old', '--instructions', 'Be kind.');
    expect(await read('agent', 'show', 'old@1')).toMatchObject({ number: 1, instructions: 'Be brief.' });
    expect(await told('agent', 'versions', 'old')).toMatch(/\n +2 +\d{4}-.* [\da-f]{64}\n +1 /);
    expect(await told('agent', 'restore', 'old', '1')).toBe(
      'old is at version 3, which is as version 1 was.\n',
    );
    expect(await read('agent', 'delete', 'old')).toEqual({ name: 'old' });
    expect(await user.errand(['agent', 'show', 'old'])).toMatchObject({ code: 1, stdout: '' });
  });

  test.each([
    [['create', '--instructions', 'x'], 2, 'The name is missing'],
    [['create', '--file', 'missing.json'], 2, 'The file missing.json cannot be read.'],
    [['update', 'sorter', '--remove', 'name'], 2, '--remove has name, which is none of model,'],
    [['create', 'odd', '--tools', 'fly'], 1, 'Invalid agent:\n--instructions: is required\n--tools: must be'],
  ])('says of %j what is wrong', async (words, code, said) => {
    const ended = await user.errand(['agent', ...words]);
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining(said) });
  });
});

describe('errand ask --agent', () => {
  test('has a run by the version that it names, and says so at its end', async () => {
    await told('agent', 'create', 'asked', '--instructions', 'Say it in verse.');
    await told('agent', 'update', 'asked', '--instructions', 'Say it in prose.', '--max-credits', '0.20');
    provider.script(inTurn({ text: 'A verse.' }));
    const { code, stdout, stderr } = await user.errand(['ask', 'What?', '--agent', 'asked@1']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'A verse.\n' });
    expect(stderr).toContain(' · asked@1 · ');
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('Say it in verse.');
    const refused = await user.errand(['ask', 'What?', '--agent', 'asked', '--max-credits', '0.30']);
    expect(refused.stderr).toMatch(/^--max-credits: must be at most the agent's/);
  });

  test('keeps the version of the agent where a person answers what the run asks', async () => {
    await told('agent', 'create', 'patient', '--instructions', 'Say it in verse.');
    const expected = [{ name: 'question', description: 'Which one?' }];
    const request = { name: 'request_input', args: { message: 'Which one?', expected } };
    provider.script(inTurn({ calls: [request] }, { text: 'The first.' }));
    const asking = user.inTerminal(['ask', 'What?', '--agent', 'patient']);
    await asking.says('Your answer: ');
    await told('agent', 'update', 'patient', '--instructions', 'Say it in prose.');
    asking.type('The first.\r');
    const { stdout } = await asking.ended;
    expect(stdout.match(/patient@\d/g)).toEqual(['patient@1', 'patient@1']);
  });

  test('shows what becomes of sub-runs, which are listed by the run that has started them', async () => {
    const isOfSubRun = (messages: object) => JSON.stringify(messages).includes('What of ropes?');
    const questions = ['What of ropes?'];
    provider.script(({ messages }, number) =>
      number === 1
        ? { calls: [{ name: 'investigate', args: { questions } }] }
        : { text: isOfSubRun(messages.slice(0, 2)) ? 'They hold.' : 'Ropes hold.' },
    );
    const ended = await user.errand(['ask', 'Compare.', '--effort', 'high']);
    expect(ended).toMatchObject({ code: 0, stdout: 'Ropes hold.\n' });
    expect(ended.stderr.match(/^ {2}sub-run .*$/gm)).toEqual([
      '  sub-run queued What of ropes?',
      '  sub-run succeeded What of ropes?',
    ]);
    const [, parent = ''] = / (\S+)\n$/.exec(ended.stderr) ?? [];
    const { runs } = await read('runs', 'list', '--parent', parent);
    expect(runs).toEqual([expect.objectContaining({ parentRunId: parent, status: 'succeeded' })]);
    expect(await told('runs', 'list')).toMatch(/ {2}sub-run: What of ropes\?\n.* {2}Compare\.\n/);
  });
});

describe('errand schedule', () => {
  const news = { question: 'What is new?', cron: '0 7 * * mon-fri', notifyIf: { question: 'Is it new?' } };

  test('makes a schedule from a file, in which options replace fields, and lists when it is due', async () => {
    await write('news.json', news);
    const zone = ['--time-zone', 'Europe/Amsterdam', '--threshold', '0.7', '--name', 'News'];
    const made = await read('schedule', 'create', '--file', 'news.json', ...zone);
    expect(made).toMatchObject({ ...news, notifyIf: { question: 'Is it new?', threshold: 0.7 } });
    const at = `${made.nextAt.slice(0, 16).replace('T', ' ')} UTC`;
    expect(await told('schedule', 'list')).toContain(
      `${made.id}  ${at}  0 7 * * mon-fri Europe/Amsterdam  News\n`,
    );
    expect(await told('schedule', 'show', made.id)).toMatch(/^next: (.*\n)*\nNothing was due yet\.\n$/);
    expect(await read('schedule', 'delete', made.id)).toEqual({ id: made.id });
    const hourly = await read('schedule', 'create', '--file', 'news.json', '--every', '1h');
    expect([hourly.every, hourly.cron]).toEqual(['1h', undefined]);
  });

  test('starts a run now, which is among the outcomes, is paused, and goes on', async () => {
    await told('agent', 'create', 'watcher', '--instructions', 'Watch.');
    provider.script(inTurn({ text: 'Nothing new.' }));
    const [made] = (await told('schedule', 'create', '--agent', 'watcher', '--every', '6h')).split('\n');
    const { agentId } = await read('schedule', 'run', made!);
    await service.follow(agentId);
    expect(await service.read(agentId)).toMatchObject({ scheduleId: made, agent: { name: 'watcher' } });
    expect(await told('schedule', 'show', made!)).toMatch(
      new RegExp(`UTC +(running|succeeded) +${agentId} +asked for$`, 'm'),
    );
    expect(await told('schedule', 'pause', made!)).toBe(`${made} is paused.\n`);
    expect(await told('schedules', 'list')).toMatch(new RegExp(`${made} +paused +every 6h`));
    expect(await told('schedule', 'resume', made!)).toMatch(/goes on\. Its next run: \d{4}-/);
  });

  test.each(['show', 'run'])('%s says that there is none', async (command) => {
    const { code, stderr } = await user.errand(['schedule', command, 'nope']);
    expect({ code, said: stderr.startsWith('There is no schedule nope for this key.') }).toEqual({
      code: 1,
      said: true,
    });
  });

  test('says which option is wrong', async () => {
    const { stderr } = await user.errand(['schedule', 'create', 'What?', '--every', '5s']);
    expect(stderr).toMatch(/^--every: must be a number with m, h or d/);
    const alone = await user.errand(['schedule', 'create', 'What?', '--every', '1d', '--threshold', '0.7']);
    expect(alone).toMatchObject({ code: 2, stderr: expect.stringContaining('--threshold needs') });
  });
});

test('errand ask --agent --json tells the agent of its run', async () => {
  provider.script(inTurn({ text: 'Sorted.' }));
  const lines = linesOf(await user.errand(['ask', 'Which?', '--agent', 'sorter', '--json']));
  expect(lines.at(-1).run).toMatchObject({ agent: { name: 'sorter', version: 1 }, effort: 'low' });
});
