import { limits, silentLog } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { createFakeModel } from '../../test-support/fake-model.ts';
import type { Fault } from '../../test-support/fake-servers.ts';
import { favours, kinds, three, tryReader } from '../../test-support/label-readers.ts';
import { upstreamDeps } from '../../test-support/models.ts';

describe.each(kinds)('what the $name engine refuses', (kind) => {
  const reader = tryReader(kind);

  it('counts the prompt with the server’s tokenizer and does not call the model past the limit', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const { inputTokens = 0 } = await reader.ask(three);
    await expect(reader.ask(three, reader.entry({ contextTokens: inputTokens }))).resolves.toMatchObject({
      inputTokens,
    });
    const before = reader.modelRequests().length;
    await expect(reader.ask(three, reader.entry({ contextTokens: inputTokens - 1 }))).rejects.toMatchObject({
      code: 'context_length_exceeded',
      details: { limitTokens: inputTokens - 1 },
    });
    expect(reader.modelRequests()).toHaveLength(before);
  });

  it('takes the server’s own refusal of a long prompt as context_length_exceeded', async () => {
    await reader.start({ model: createFakeModel({ favours }), modelTokens: 20 });
    await expect(reader.ask(three)).rejects.toMatchObject({ code: 'context_length_exceeded' });
  });

  it('refuses labels under the least mass, and asks no fallback for another opinion', async () => {
    const model = createFakeModel({ favours: { ...favours, ' Sure': 14 } });
    await reader.start({ model });
    const { labels = [] } = await reader.ask(three, reader.entry({ minLabelMass: 0 }));
    const least = Math.min(...labels.map(({ labelMass }) => labelMass));
    expect(least).toBeLessThan(limits.leastLabelMass);
    const lines: unknown[] = [];
    const log = { ...silentLog, warn: (...line: unknown[]) => lines.push(line) };
    const before = reader.modelRequests().length;
    const fallbacks = [{ baseUrl: reader.entry().upstream.baseUrl, model: 'other' }];
    await expect(reader.ask(three, reader.entry({ fallbacks }), upstreamDeps({ log }))).rejects.toMatchObject(
      { code: 'unreadable_answer' },
    );
    expect(reader.modelRequests()).toHaveLength(before + 1);
    expect(lines).toEqual([
      ['decision labels have too little mass', { model: 'judge', minLabelMass: limits.leastLabelMass }],
    ]);
    await reader.ask(three, reader.entry({ minLabelMass: least }));
    await expect(reader.ask(three, reader.entry({ minLabelMass: least * 1.001 }))).rejects.toMatchObject({
      code: 'unreadable_answer',
    });
  });

  it.each<Fault>(['nan', 'null', 'missing', 'short', 'positive'])(
    'refuses an answer with a fault: %s',
    async (fault) => {
      await reader.start({ model: createFakeModel({ favours }), fault });
      await expect(reader.ask(three)).rejects.toMatchObject({ code: 'unreadable_answer' });
    },
  );
});
