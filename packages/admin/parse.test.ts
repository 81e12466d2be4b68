import { CommanderError } from 'commander';
import { describe, expect, test } from 'vitest';
import { commands } from './commands.ts';
import { parseCommandLine } from './parse.ts';

const told: string[] = [];
const terminal = { out: (text: string) => told.push(text), err: (text: string) => told.push(text) };
const parse = (line: string) => parseCommandLine(commands, line.split(' ').filter(Boolean), terminal);

function usageErrorOf(line: string): string[] {
  told.length = 0;
  expect(() => parse(line)).toThrow(CommanderError);
  return told.join('\n').split('\n');
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

  test('may give an option a value that looks like an option after an equals sign', () => {
    expect(parse('account create --name=--json').values).toEqual({ name: '--json' });
  });

  test.each(['--amount -1.5', '--amount=-1.5'])('takes a negative amount as %s', (amount) => {
    expect(parse(`credits add --account a ${amount}`).values).toEqual({ account: 'a', amount: '-1.5' });
  });
});

test.each([
  ['', 'usage: npm run -s admin -- organisation create --name N'],
  ['account', 'usage: npm run -s admin -- account create --name N'],
  ['account destroy', "error: unknown command 'destroy'"],
  ['create account', "error: unknown command 'create'"],
])('%j is answered with the usage of the commands there are', (line, reason) => {
  const [first, ...others] = usageErrorOf(line);
  expect(first).toContain(reason);
  expect(others.join('\n')).toMatch(/^usage: npm run -s admin -- account thaw A /m);
});

test.each([
  ['account create', "required option '--name <N>' not specified"],
  ['account create --name', "option '--name <N>' argument missing"],
  ['account create --name --json', 'It is an option.'],
  ['account create --name A --colour red', '--colour'],
  ['account create --name A -x', '-x'],
  ['account create --name A extra', 'too many arguments'],
  ['organisation create --name A --subscription=true', '--subscription'],
  ['organisation update --subscription true', "missing required argument 'ORG'"],
  ['organisation update organisation_1', '--subscription or --ceiling is missing'],
  ['key update', "missing required argument 'KEYID'"],
  ['key update key_1', 'a limit to change is missing'],
  ['key update key_1 --period day', '--period needs a --budget'],
  ['key create --account a --period day', '--period needs a --budget'],
  ['key create --account a --operator=true', '--operator'],
  ['key revoke', "missing required argument 'KEYID'"],
  ['key revoke key_1 key_2', 'too many arguments'],
  ['credits add --account a', "required option '--amount <5.00>' not specified"],
  ['credits show', 'either --account or --organisation'],
  ['credits show --account a --organisation o', 'either --account or --organisation'],
  ['credits show --account a --stage', '--stage'],
])('%j is answered with what is wrong and the command’s usage', (line, reason) => {
  const lines = usageErrorOf(line);
  const name = line.split(' ').slice(0, 2).join(' ');
  expect(lines.slice(0, -1).join('\n')).toContain(reason);
  expect(lines.at(-1)).toMatch(new RegExp(`^usage: npm run -s admin -- ${name} `));
});
