import { readConfig } from '@errand/platform';
import { expect, test, vi } from 'vitest';
import { run } from './run.ts';

/** An address where no server listens. */
const nowhere = 'http://127.0.0.1:1';

async function smoke(line: string[], env: Record<string, string>) {
  const out: string[] = [];
  const err: string[] = [];
  const terminal = { out: (text: string) => out.push(text), err: (text: string) => err.push(text) };
  const status = await run(line, terminal, () => readConfig('local', { DATA_DIR: '/nonexistent', ...env }));
  return { status, out: out.join('\n'), err: err.join('\n') };
}

test('a service that cannot be reached fails, with 1 as the exit status', async () => {
  const done = await smoke([nowhere, '--only', 'health'], { ERRAND_API_KEY: 'a key' });
  expect(done).toMatchObject({ status: 1, err: '' });
  expect(done.out).toMatch(/\| health +\| failed +\| http:\/\/127.0.0.1:1 cannot be reached: .*ECONNREFUSED/);
  expect(done.out).toContain('1 passed, 1 skipped, 1 failed');
});

test('programs read the rows as JSON', async () => {
  const { status, out } = await smoke([nowhere, '--only', 'health', '--json'], { ERRAND_API_KEY: 'a key' });
  expect(status).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    baseUrl: nowhere,
    ok: false,
    checks: [
      { check: 'health', result: 'failed', seen: expect.any(String), milliseconds: expect.any(Number) },
      { check: 'the cost', result: 'skipped', seen: '"health" has failed' },
      { check: 'nothing is left behind', result: 'passed', seen: 'nothing was made' },
    ],
  });
});

test.each([
  ['an address', [], { ERRAND_API_KEY: 'a key' }, 'BASE_URL is missing'],
  [
    'a check',
    [nowhere, '--only', 'zzz'],
    { ERRAND_API_KEY: 'a key' },
    '--only "zzz" is in the name of no check',
  ],
  ['a stage, whose next version is asked', [nowhere, '--next'], {}, '--next needs --stage'],
  ['a key, where none can be made', [nowhere], {}, 'no local service was found in DATA_DIR (/nonexistent)'],
])('a line without %s is not valid, with 2 as the exit status', async (_, line, env, problem) => {
  const done = await smoke(line, env);
  expect(done).toMatchObject({ status: 2, out: '' });
  expect(done.err).toContain(problem);
});

test.each([['--help'], ['-h'], ['--help', '--json'], [nowhere, '-h']])(
  '%s %s tells of variables and exit statuses',
  async (...line) => {
    const done = await smoke(line, {});
    expect(done).toMatchObject({ status: 0, err: '' });
    for (const words of ['Usage: npm run', 'ERRAND_SECOND_API_KEY', 'AWS_REGION', 'DATA_DIR', 'Exit status:'])
      expect(done.out).toContain(words);
  },
);

test('a stage without credentials says which region was asked, and what to do', async () => {
  const noCredentials = { AWS_REGION: 'eu-west-1' };
  for (const name of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE'])
    vi.stubEnv(name, undefined);
  vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true');
  vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nonexistent');
  vi.stubEnv('AWS_CONFIG_FILE', '/nonexistent');
  const done = await smoke(['--stage', 'production'], noCredentials);
  vi.unstubAllEnvs();
  expect(done.status).toBe(1);
  expect(done.err).toMatch(
    /^The stage production was looked for in eu-west-1, without credentials of AWS: set AWS_PROFILE/,
  );
});
