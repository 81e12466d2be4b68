import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { parseCommandLine } from './parse.ts';
import { UsageError } from './refusal.ts';

const parse = (line: string) => parseCommandLine(commands, line.split(' ').filter(Boolean));

function usageErrorOf(line: string): string {
  try {
    parse(line);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  throw new Error(`understood: ${line}`);
}

describe('a command line', () => {
  test('gives the command its options, its id and the format of its output', () => {
    const parsed = parse('organisation update organisation_1 --subscription true --json --stage live');
    expect(parsed).toMatchObject({
      command: { name: 'organisation update' },
      values: { subscription: 'true' },
      id: 'organisation_1',
      json: true,
      stage: 'live',
    });
  });

  test('may name options in any order and with an equals sign', () => {
    expect(parse('organisation update --json --subscription=false organisation_1')).toMatchObject({
      values: { subscription: 'false' },
      id: 'organisation_1',
    });
  });

  test.each(['--amount -1.5', '--amount=-1.5'])('takes a negative amount as %s', (amount) => {
    expect(parse(`credits add --account a ${amount}`).values).toEqual({ account: 'a', amount: '-1.5' });
  });
});

test.each([
  ['', 'a command is missing'],
  ['account', 'unknown command: account'],
  ['account destroy', 'unknown command: account destroy'],
  ['create account', 'unknown command: create account'],
])('%j is answered with every command there is', (line, reason) => {
  const [first, usage] = usageErrorOf(line).split('\n');
  expect(first).toBe(reason);
  expect(usage).toMatch(/^usage: .*organisation create, .*credits show/);
});

test.each([
  ['account create', '--name is missing'],
  ['account create --name', '--name'],
  ['account create --name A --colour red', '--colour'],
  ['account create --name A -x', '-x'],
  ['account create --name A extra', 'unexpected argument: extra'],
  ['organisation create --name A --subscription=true', '--subscription'],
  ['organisation update --subscription true', 'an id is missing'],
  ['organisation update organisation_1', '--subscription or --ceiling is missing'],
  ['key update', 'an id is missing'],
  ['key update key_1', 'a limit to change is missing'],
  ['key update key_1 --period day', '--period needs a --budget'],
  ['key create --account a --period day', '--period needs a --budget'],
  ['key create --account a --operator=true', '--operator'],
  ['key revoke', 'an id is missing'],
  ['key revoke key_1 key_2', 'unexpected argument: key_2'],
  ['credits add --account a', '--amount is missing'],
  ['credits show', 'either --account or --organisation'],
  ['credits show --account a --organisation o', 'either --account or --organisation'],
  ['credits show --account a --stage', '--stage'],
])('%j is answered with what is wrong and the command’s usage', (line, reason) => {
  const lines = usageErrorOf(line).split('\n');
  const name = line.split(' ').slice(0, 2).join(' ');
  expect(lines.slice(0, -1).join('\n')).toContain(reason);
  expect(lines.at(-1)).toMatch(new RegExp(`^usage: npm run -s admin -- ${name} `));
});
