import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** The command without credentials and without a way to any. */
const run = (...line: string[]) =>
  spawnSync(process.execPath, ['scripts/deploy/main.ts', ...line], {
    encoding: 'utf8',
    env: {
      AWS_EC2_METADATA_DISABLED: 'true',
      AWS_SHARED_CREDENTIALS_FILE: '/nonexistent',
      AWS_CONFIG_FILE: '/nonexistent',
    },
  });

test.each([
  [[]],
  [['--back']],
  [['--stage', 'production', '--bak']],
  [['--stage', 'production', '--back', '--unchecked']],
])(
  'a line that names no stage, or something else too (%j), deploys nothing and is answered with the usage',
  (line) => {
    const { status, stdout, stderr } = run(...line);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^usage: npm run deploy -- --stage NAME \[--back \| --unchecked\]/);
  },
);

test.each([[['--stage', 'production']], [['--stage', 'production', '--back']]])(
  'a line without credentials of AWS (%j) says so in one line',
  (line) => {
    const { status, stdout, stderr } = run(...line);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr.trim()).toMatch(
      /^production could not be looked at, and nothing has changed: .*credentials.*$/i,
    );
  },
);
