import { test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { withFunctions } from './custom-tools.ts';

test('any number of custom tools are functions in linear time', async () => {
  await expectLinear(
    (count) => Array.from({ length: count }, (_, i) => ({ type: 'custom', custom: { name: `tool${i}` } })),
    (tools) => withFunctions({ messages: [], tools }),
    40_000,
  );
});
