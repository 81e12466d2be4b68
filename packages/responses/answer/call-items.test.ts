import { test } from 'vitest';
import { expectLinear } from '../../../test/support/linear-time.ts';
import { createCallWriter } from './call-items.ts';

test('the pieces of any number of calls are told from each other in linear time', async () => {
  await expectLinear(
    (count) =>
      Array.from({ length: count }, (_, index) => ({ index, function: { name: 'f', arguments: '{}' } })),
    (pieces) => {
      const calls = createCallWriter(
        () => ({
          item: {
            type: 'function_call',
            id: '',
            call_id: '',
            name: '',
            arguments: '',
            status: 'in_progress',
          },
          index: 0,
        }),
        (name) => ({ called: { name }, isCustom: false }),
        () => {},
      );
      for (const piece of [...pieces, ...pieces]) calls.write(piece);
      calls.close('completed');
    },
    40_000,
  );
});
