import { describe, test } from 'vitest';
import { expectLinear } from '../support/linear-time.ts';
import { doors } from './doors.ts';

/** Enough to tell a square from a line, and short enough for every text of every door. */
const mostCharacters = 100_000;

describe.each(doors)('the work on $name', ({ limitCharacters, texts, read }) => {
  const characters = Math.min(limitCharacters, mostCharacters);

  test.each(Object.entries(texts))('is linear, not quadratic: %s', async (_, make) => {
    await expectLinear(make, (text) => refused(() => read(text)), characters);
  });
});

async function refused(read: () => unknown): Promise<void> {
  try {
    await read();
  } catch {
    // A refusal takes its time too.
  }
}
