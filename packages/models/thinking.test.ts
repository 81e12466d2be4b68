import { createLog, limits } from '@errand/platform';
import { expect, test } from 'vitest';
import type { Completion } from './complete-chat.ts';
import { parseCatalogue } from './parse-catalogue.ts';
import { noteThinking, thinkingTokens } from './thinking.ts';

const usual: number = limits.outputTokensPerCompletion;

const modelWith = (fields: object) => {
  const upstream = { baseUrl: 'http://model.test/v1', model: 'm' };
  const price = { inputPerMillionTokens: 1, outputPerMillionTokens: 2 };
  const models = [{ id: 'thinker', kind: 'chat', upstream, price, ...fields }];
  return parseCatalogue({ models }, () => undefined).models[0]!;
};

const silent: Completion = {
  message: { role: 'assistant', content: null },
  finishReason: 'length',
  usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens: usual },
  inferenceMilliseconds: 1,
};

const noted = (fields: object = {}) => {
  const lines: string[] = [];
  const model = modelWith(fields);
  const note = (limit = usual, completion = silent) =>
    noteThinking({ log: createLog((line) => void lines.push(line)) }, model, completion, limit);
  return { note, model, lines };
};

test('two completions of which each was used up by thinking are both asked for again, and the log has one line', () => {
  const { note, model, lines } = noted();
  expect([note(), note()]).toEqual([true, true]);
  expect(thinkingTokens(model)).toBe(limits.reservedReasoningTokens);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('"message":"hidden reasoning","model":"thinker","field":"hiddenReasoning"');
});

test('a completion that had room for thinking is not asked for again', () => {
  const { note } = noted();
  expect(note(usual + limits.reservedReasoningTokens)).toBe(false);
});

test('a completion of a model without room for thinking is not asked for again', () => {
  const { note, lines } = noted({ maxOutputTokens: usual });
  expect(note()).toBe(false);
  expect(lines).toHaveLength(1);
});

test.each([true, false])('a model with hiddenReasoning %s is not noted', (hiddenReasoning) => {
  const { note, lines } = noted({ hiddenReasoning });
  expect(note()).toBe(false);
  expect(lines).toEqual([]);
});
