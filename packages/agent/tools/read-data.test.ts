import { expect, test } from 'vitest';
import type { ToolInput } from '../tool.ts';
import { readData } from './read-data.ts';

const knowing = (...names: string[]) =>
  readData({
    memory: {
      save: async () => true,
      read: async () => undefined,
      names: async () => ({ names, isOutside: true }),
    },
  });

test('a name that nothing is saved under is answered with the names that are saved', async () => {
  const answer = await knowing('harbour', 'tide').run({ name: 'habour' }, {} as ToolInput);
  expect(answer).toEqual({
    text: 'Error: Nothing is saved under "habour".\nSaved names:\n- harbour\n- tide',
    isOutside: true,
  });
});

test('a name that nothing is saved under is answered with an error alone if nothing is saved', async () => {
  const answer = await knowing().run({ name: 'tide' }, {} as ToolInput);
  expect(answer).toEqual({ text: 'Error: Nothing is saved under "tide".' });
});
