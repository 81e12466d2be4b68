import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { canEvaluate, evaluationMilliseconds } from '../support/sst/stack.ts';

test.skipIf(!canEvaluate)(
  "sst.config.ts and infra/ fit SST's types",
  () => {
    const { status, stdout } = spawnSync(
      'node_modules/.bin/tsc',
      ['-p', 'tsconfig.infra.json', '--checkers', '1'],
      { encoding: 'utf8' },
    );
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  },
  evaluationMilliseconds,
);
