import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import type { Model } from './catalogue.ts';
import type { Completion } from './complete-chat.ts';
import { noteThinking, thinkingTokens } from './thinking.ts';

const limit = limits.outputTokensPerCompletion;
const newModel = () => ({ id: 'writer', kind: 'chat' }) as Model;
const made = (content: string | null, outputTokens: number, more: Partial<Completion> = {}): Completion => ({
  message: { role: 'assistant', content },
  finishReason: 'stop',
  usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens },
  inferenceMilliseconds: 1,
  ...more,
});
const allThought = made(null, limit, { finishReason: 'length' });
const answer = 'The bridge is 503 m long, and it was opened in 1998.';

test('a model that one question made think for a whole completion has no room for it once it answers without', () => {
  const model = newModel();
  expect(noteThinking(model, allThought, limit)).toBe(true);
  expect(thinkingTokens(model)).toBe(limits.reservedReasoningTokens);
  expect(noteThinking(model, made(answer, 16), 40_000)).toBe(false);
  expect(thinkingTokens(model)).toBe(0);
});

const opaque = { upstream: 'http://a b' };
test.each([
  ['reports reasoning', made(answer, 16, { usage: { ...allThought.usage, reasoningTokens: 4 } })],
  ['bills more than it writes', made(answer, 200)],
  [
    'sends its thinking',
    made(answer, 16, {
      message: { role: 'assistant', content: answer, opaque: { ...opaque, message: { reasoning: 'Hm.' } } },
    }),
  ],
  [
    'writes it in tags',
    made(answer, 16, {
      message: {
        role: 'assistant',
        content: answer,
        opaque: { ...opaque, content: `<think>Hm.</think>${answer}` },
      },
    }),
  ],
  ['is cut once more', allThought],
])('a model that %s keeps its room for thinking', (_, next) => {
  const model = newModel();
  noteThinking(model, allThought, limit);
  expect(noteThinking(model, next, 40_000)).toBe(false);
  expect(thinkingTokens(model)).toBeGreaterThan(0);
});
