import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createKey } from '@errand/accounts';
import { localTableNames, systemClock } from '@errand/platform';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useSteadyService } from '../clients/generated/steady-provider.ts';
import { type ScriptedUpstream, startUpstream } from '../support/scripted-upstream.ts';
import type { TestService } from '../support/service.ts';
import { controlStart, type Ended, type ErrandUser, linesOf, newUser } from './support/errand-process.ts';

let provider: ScriptedUpstream;
let service: TestService;
let user: ErrandUser;

useSteadyService((started) => ({ provider, service } = started));
beforeAll(async () => {
  user = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: service.apiKey });
  return () => user.leave();
});

const jsonOf = ({ stdout }: Ended) => JSON.parse(stdout);

describe('errand login', () => {
  let stranger: ErrandUser;

  beforeEach(async () => {
    stranger = await newUser({});
    return () => stranger.leave();
  });

  const fileOf = ({ folder }: ErrandUser) => path.join(folder, '.config/errand/config.json');

  test('saves a key that the service knows for its owner alone, and later commands use it', async () => {
    const words = ['login', '--url', service.baseUrl, '--key', service.apiKey];
    const { code, stdout, stderr } = await stranger.errand(words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('10.00 EUR');
    expect(stdout).not.toContain(service.apiKey);
    expect((await stat(fileOf(stranger))).mode & 0o777).toBe(0o600);
    expect((await stat(path.dirname(fileOf(stranger)))).mode & 0o777).toBe(0o700);
    expect((await stranger.errand(['models'])).stdout).toContain('writer');
  });

  test('makes a key file that others could read readable by its owner alone', async () => {
    await stranger.errand(['login', '--url', service.baseUrl, '--key', service.apiKey]);
    await chmod(fileOf(stranger), 0o644);
    await stranger.errand(['login', '--url', service.baseUrl, '--key', service.apiKey]);
    expect((await stat(fileOf(stranger))).mode & 0o777).toBe(0o600);
  });

  test('reads a key that is piped in, so that it is in no list of processes', async () => {
    const ended = await stranger.errand(['login', '--url', service.baseUrl, '--json'], `${service.apiKey}\n`);
    expect(jsonOf(ended)).toEqual({ baseUrl: service.baseUrl, file: fileOf(stranger), balance: '10' });
    expect(JSON.parse(await readFile(fileOf(stranger), 'utf8')).apiKey).toBe(service.apiKey);
  });

  test('asks for a key in a terminal without showing it', async () => {
    const login = stranger.inTerminal(['login', '--url', service.baseUrl]);
    await login.says('API key: ');
    login.type(`${service.apiKey}\r`);
    const { code, stdout } = await login.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Logged in');
    expect(stdout).not.toContain(service.apiKey);
  });

  test('does not save a key that the service does not know', async () => {
    const ended = await stranger.errand(['login', '--url', service.baseUrl, '--key', 'sk-unknown']);
    expect(ended.code).toBe(3);
    expect(ended.stdout + ended.stderr).not.toContain('sk-unknown');
    await expect(stat(fileOf(stranger))).rejects.toThrow();
  });

  test.each([[['models']], [['login']], [['login', '--url', 'http://user:hunter2@127.0.0.1:1']]])(
    'refuses an address with a password before all else, and does not repeat it: %j',
    async (words) => {
      const careless = await newUser({ ERRAND_BASE_URL: 'http://user:hunter2@127.0.0.1:1' });
      const { code, stdout, stderr } = await careless.errand(words);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      const source = words.includes('--url') ? '--url' : 'ERRAND_BASE_URL';
      expect(stderr).toBe(
        `${source} must have no user name and no password.\nSee: errand ${words[0]} --help\n`,
      );
      await careless.leave();
    },
  );

  test.each([
    [['login', '--url', 'foo'], {}, '--url (foo) is no URL.\n'],
    [
      ['models'],
      { ERRAND_BASE_URL: 'ftp://x' },
      'ERRAND_BASE_URL (ftp://x) must begin with http:// or https://.\n',
    ],
    [['models'], { ERRAND_BASE_URL: 'http://user:hunter2@h:x' }, 'ERRAND_BASE_URL is no URL.\n'],
  ])(
    'names the source and the value of an address that is none, unless it may have a secret: %j %j',
    async (words, env, said) => {
      const careless = await newUser(env as Record<string, string>);
      const { code, stderr } = await careless.errand(words);
      expect(code).toBe(2);
      expect(stderr).toContain(said);
      await careless.leave();
    },
  );

  test('says of a key that the service does not know where it came from', async () => {
    const said = async (words: string[], env: Record<string, string> = {}, input = '') => {
      const other = await newUser({ HOME: stranger.folder, ...env });
      const { code, stderr } = await other.errand(words, input);
      await other.leave();
      expect(code).toBe(3);
      return stderr;
    };
    const login = ['login', '--url', service.baseUrl];
    expect(await said([...login, '--key', 'sk-unknown'])).toContain('It was given with --key.');
    expect(await said(login, {}, 'sk-unknown')).toContain('It was typed or piped in.');
    const variable = { ERRAND_API_KEY: 'sk-unknown' };
    expect(await said(login, variable)).toContain('It is in ERRAND_API_KEY.');
    expect(await said(['models'], { ...variable, ERRAND_BASE_URL: service.baseUrl })).toContain(
      'It is in ERRAND_API_KEY.',
    );
    await stranger.errand([...login, '--key', service.apiKey]);
    const saved = JSON.parse(await readFile(fileOf(stranger), 'utf8'));
    await writeFile(fileOf(stranger), JSON.stringify({ ...saved, apiKey: 'sk-unknown' }));
    expect(await said(['models'])).toContain('It is the one that `errand login` saved.');
  });

  test('shows and saves an address without its query, which may have a secret', async () => {
    const url = `${service.baseUrl}/v1/?token=hunter2`;
    const { stdout } = await stranger.errand(['login', '--url', url, '--key', service.apiKey]);
    expect(stdout).toContain(`Logged in at ${service.baseUrl}, with`);
    expect(await readFile(fileOf(stranger), 'utf8')).not.toContain('hunter2');
    expect((await stranger.errand(['models'])).code).toBe(0);
  });

  test('keeps a saved key from every other address', async () => {
    await stranger.errand(['login', '--url', service.baseUrl, '--key', service.apiKey]);
    const elsewhere = await newUser({ ERRAND_BASE_URL: provider.baseUrl, HOME: stranger.folder });
    const before = provider.requests.length;
    expect((await elsewhere.errand(['models'])).code).toBe(3);
    expect(provider.requests).toHaveLength(before);
    await elsewhere.leave();
  });
});

describe('what errand tells scripts', () => {
  test('is no colour, no progress and one JSON document', async () => {
    const { code, stdout, stderr } = await user.errand(['models', '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout).data.map(({ id }: { id: string }) => id)).toContain('judge');
    const { stdout: table } = await user.errand(['models']);
    expect(table).toContain('1 in, 2 out');
    expect(table).not.toContain(controlStart);
  });

  test('is the same with --json before the command', async () => {
    expect(jsonOf(await user.errand(['--json', 'models'])).object).toBe('list');
  });

  test.each([
    ['an unknown key', 3, ['models'], { ERRAND_API_KEY: 'sk-unknown' }],
    ['no key', 3, ['models'], { ERRAND_API_KEY: '' }],
    ['an unknown command', 2, ['dance'], {}],
    ['a missing argument', 2, ['ask'], {}],
    ['an amount that is none', 2, ['ask', 'What?', '--max-credits', 'abc'], {}],
    ['an amount of nothing', 2, ['ask', 'What?', '--max-credits', '0'], {}],
    ['a file that is not there', 2, ['ask', 'What?', '--file', 'none.pdf'], {}],
    ['an address that is none', 2, ['models'], { ERRAND_BASE_URL: 'nowhere' }],
    ['a refusal', 1, ['runs', 'cancel', 'agent_none'], {}],
    ['no answer', 1, ['models'], { ERRAND_BASE_URL: 'http://127.0.0.1:1' }],
  ])('of %s is exit code %i, with its reason as JSON', async (_, code, words, env) => {
    const other = await newUser({
      ERRAND_BASE_URL: service.baseUrl,
      ERRAND_API_KEY: service.apiKey,
      ...(env as Record<string, string>),
    });
    const ended = await other.errand([...words, '--json']);
    expect(ended.code).toBe(code);
    expect(jsonOf(ended).error.message).toMatch(/./);
    expect(ended.stderr).toMatch(/./);
    expect(ended.stdout + ended.stderr).not.toContain('sk-unknown');
    await other.leave();
  });

  test('names the address that cannot be reached, and says of a wrong key what it is', async () => {
    const said = async (env: Record<string, string>) => {
      const other = await newUser({
        ERRAND_BASE_URL: service.baseUrl,
        ERRAND_API_KEY: service.apiKey,
        ...env,
      });
      const { stderr } = await other.errand(['models']);
      await other.leave();
      return stderr;
    };
    expect(await said({ ERRAND_BASE_URL: 'http://127.0.0.1:1' })).toContain(
      'The service at http://127.0.0.1:1 could not be reached.',
    );
    expect(await said({ ERRAND_API_KEY: 'errand_x' })).toContain('The service does not know this key.');
    const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
    const limits = { expiresAt: '2020-01-01T00:00:00.000Z' };
    const { key } = await createKey(store, { accountId: service.accountId, label: 'ended', limits });
    expect(await said({ ERRAND_API_KEY: key })).toContain('This key has ended');
  });

  test('has exit code 4 where the credits are spent', async () => {
    const { key } = await service.newAccount('0');
    const poor = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: key });
    const ended = await poor.errand(['ask', 'What?', '--json']);
    expect(ended.code).toBe(4);
    expect(jsonOf(ended).error).toMatchObject({ status: 402, requestId: expect.any(String) });
    await poor.leave();
  });

  test('has every command in its help, with the exit codes', async () => {
    for (const words of [['ask'], ['runs', 'list'], ['skills', 'diff'], ['usage']]) {
      const { code, stdout } = await user.errand([...words, '--help']);
      expect(code).toBe(0);
      expect(stdout).toContain('With --json: ');
      expect(stdout).toMatch(/4 +no credits left/);
    }
  });
});

describe('errand, wrongly used,', () => {
  test.each([
    [['runs', 'list', '--status', 'nope'], 'Allowed choices are'],
    [['runs', 'list', '--limit', '0'], '--limit must be'],
    [['usage', '--group-by', 'day,nope'], 'nope is none of'],
    [['usage', '--from', 'nonsense'], 'from: must be a day such as'],
    [['usage', '--from', '2026-11-21', '--to', '2026-11-20'], 'to: must be after from'],
    [['decide', '--state', 'x', '--question', 'a=b', '--question', 'a=c'], '--question a is there twice'],
    [['ask', 'What?', '--file', '.'], '. is no file that can be read.'],
    [['usage', '--form', '2026-11-20'], "unknown option '--form'"],
    [['ask', 'What?', '--max-credits', 'much'], 'It must be an amount of EUR over 0'],
    [[], 'A command is missing'],
  ])('as %j says so, and where to look, also as JSON', async (words, said) => {
    const plain = await user.errand(words);
    if (words.length > 0) {
      const command = words.slice(0, words[0] === 'runs' ? 2 : 1).join(' ');
      expect(plain.stderr).toMatch(new RegExp(`\nSee: errand ${command} --help\n$`));
    }
    const { code, stdout } = await user.errand([...words, '--json']);
    expect([plain.code, code]).toEqual([2, 2]);
    expect(JSON.parse(stdout).error.message).toContain(said);
    expect(JSON.parse(stdout).error.message).not.toMatch(/error:|See: /);
  });
});

describe('errand, where the service hangs,', () => {
  let silent: ScriptedUpstream;

  beforeAll(async () => {
    silent = await startUpstream();
    return () => silent.close();
  });

  test.each([
    [['models']],
    [['usage']],
    [['runs', 'list']],
    [['runs', 'cancel', 'agent_1']],
    [['skills', 'list']],
    [['skills', 'pull', 'brief']],
    [['decide', '--model', 'judge', '--state', 'x', '--question', 'a=b']],
    [['ask', 'What?']],
  ])('ends %j at Ctrl-C with exit code 130', async (words) => {
    const asked = Promise.withResolvers<void>();
    silent.script(() => asked.resolve());
    const impatient = await newUser({ ERRAND_BASE_URL: silent.baseUrl, ERRAND_API_KEY: 'sk-key' });
    const command = impatient.inTerminal(words);
    await asked.promise;
    command.type('\u0003');
    expect((await command.ended).code).toBe(130);
    await impatient.leave();
  });
});

describe('errand chat', () => {
  test('answers each line that is piped in, and the model knows what was said before', async () => {
    const { code, stdout } = await user.errand(['chat', '--system', 'Be brief.'], 'Hi\n\nAnd you?\n');
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello\nHello\n' });
    const roles = ['system', 'user', 'assistant', 'user'];
    expect(provider.requests.at(-1)?.body).toMatchObject({ messages: roles.map((role) => ({ role })) });
  });

  test('writes a line of JSON for each answer', async () => {
    const lines = linesOf(await user.errand(['chat', '--model', 'writer', '--json'], 'Hi\nBye\n'));
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatchObject({ role: 'assistant', content: 'Hello', usage: { total_tokens: 25 } });
  });

  test('in a terminal prompts, shows usage, and ends with Ctrl-D', async () => {
    const chat = user.inTerminal(['chat']);
    await chat.says('> ');
    chat.type('Hi\r');
    await chat.says('25 tokens');
    chat.type('\u0004');
    const { code, stdout } = await chat.ended;
    expect(code).toBe(0);
    expect(stdout).toContain('Hello');
  });

  test('in a terminal ends at Ctrl-C with exit code 130', async () => {
    const chat = user.inTerminal(['chat']);
    await chat.says('> ');
    chat.type('\u0003');
    expect((await chat.ended).code).toBe(130);
  });
});

describe('errand decide', () => {
  test('asks questions of yes or no, and shows bars', async () => {
    const words = ['decide', '--model', 'judge', '--state', 'Late again.', '--question', 'noul=Is it late?'];
    const { code, stdout } = await user.errand(words);
    expect(code).toBe(0);
    expect(stdout).toContain('noul\n  ██████████████████░░░░░░  75.0 %  yes\n');
    expect(provider.requests.at(-1)?.body).toMatchObject({
      state: 'Late again.',
      questions: { noul: { type: 'noul', instructions: 'Is it late?' } },
    });
  });

  test('reads the case or the whole request from a file', async () => {
    await writeFile(path.join(user.folder, 'case.txt'), 'My invoice.');
    const questions = { choice: { type: 'choice', criteria: { billing: null, technical: null } } };
    await writeFile(path.join(user.folder, 'request.json'), JSON.stringify({ state: 'x', questions }));
    const words = ['decide', '--file', 'request.json', '--state', '@case.txt', '--json'];
    expect(jsonOf(await user.errand(words)).answers.choice).toMatchObject({ choice: 'technical' });
    expect(provider.requests.at(-1)?.body).toMatchObject({ state: 'My invoice.', questions });
  });

  test.each([
    [['decide', '--question', 'a=b'], 'case'],
    [['decide', '--state', 'x'], 'question'],
    [['decide', '--state', 'x', '--question', 'none'], 'ID=TEXT'],
  ])('is wrong usage as %j', async (words, missing) => {
    const { code, stderr } = await user.errand(words);
    expect(code).toBe(2);
    expect(stderr).toContain(missing);
  });
});

describe('errand skills', () => {
  const markdown = (instructions: string) =>
    `---\nname: brief\ndescription: Is brief.\n---\n\n${instructions}`;
  const write = (text: string) => writeFile(path.join(user.folder, 'brief.md'), text);

  test('are pushed, compared, pushed again, listed and pulled', async () => {
    await write(markdown('Be brief.\nBe kind.\n'));
    expect((await user.errand(['skills', 'push', 'brief.md'])).stdout).toBe('brief is new: version 1.\n');
    expect((await user.errand(['skills', 'push', 'brief.md'])).stdout).toBe(
      'brief is as before: version 1.\n',
    );
    expect((await user.errand(['skills', 'diff', 'brief.md'])).stdout).toBe('brief.md is as published.\n');
    await write(markdown('Be very brief.\nBe kind.\n'));
    expect((await user.errand(['skills', 'diff', 'brief.md'])).stdout).toBe(
      ' description: Is brief.\n \n-Be brief.\n+Be very brief.\n Be kind.\n \n',
    );
    expect(jsonOf(await user.errand(['skills', 'push', 'brief.md', '--json']))).toMatchObject({ version: 2 });
    expect((await user.errand(['skills', 'list'])).stdout).toMatch(/^brief +user +2 +Is brief\.$/m);
    expect((await user.errand(['skills', 'pull', 'brief'])).code).toBe(0);
    expect(await readFile(path.join(user.folder, 'SKILL.md'), 'utf8')).toContain(
      'Be very brief.\nBe kind.\n',
    );
    const again = await user.errand(['skills', 'pull', 'brief']);
    const said = 'SKILL.md exists: use --force.\nSee: errand skills pull --help\n';
    expect(again).toMatchObject({ code: 2, stderr: said });
    expect((await user.errand(['skills', 'pull', 'brief', '--force'])).code).toBe(0);
  });

  test('without front matter are wrong usage', async () => {
    await write('Be brief.');
    expect((await user.errand(['skills', 'push', 'brief.md'])).code).toBe(2);
  });
});

test('errand usage shows a chart of the days, a table and what is left', async () => {
  await user.errand(['chat'], 'Hi\n');
  const { code, stdout } = await user.errand(['usage', '--group-by', 'day,model']);
  expect(code).toBe(0);
  expect(stdout).toMatch(/Balance 9\.\d+ EUR/);
  expect(stdout).toMatch(/█ {2}EUR a day/);
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d +writer +<?0\.\d+ EUR/m);
  const report = jsonOf(await user.errand(['usage', '--json']));
  expect(report).toMatchObject({ rows: [{ day: expect.any(String) }], balance: expect.any(String) });
});

test('errand usage tells what is left of the budget of its key', async () => {
  const store = { dynamodb: service.clients.dynamodb, tables: localTableNames, clock: systemClock };
  const limits = { budget: { amountNanoEuro: 2_000_000_000, period: 'month' } } as const;
  const { key } = await createKey(store, { accountId: service.accountId, label: 'limited', limits });
  const limited = await newUser({ ERRAND_BASE_URL: service.baseUrl, ERRAND_API_KEY: key });
  const { stdout } = await limited.errand(['usage']);
  expect(stdout).toMatch(
    /^This key has 2\.00 EUR left of 2\.00 EUR a month, again at \d{4}-\d\d-01 00:00 UTC\.$/m,
  );
  expect(jsonOf(await limited.errand(['usage', '--json']))).toMatchObject({ budget: { left: '2' } });
  await limited.leave();
});
