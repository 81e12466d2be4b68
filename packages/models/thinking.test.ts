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

test('a completion whose limit was lower than usual teaches nothing', () => {
  const { note, model, lines } = noted();
  const outputTokens = Math.floor(usual / 10);
  expect(note(outputTokens, { ...silent, usage: { ...silent.usage, outputTokens } })).toBe(false);
  expect(thinkingTokens(model)).toBe(0);
  expect(lines).toEqual([]);
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

const deps = { log: createLog(() => undefined) };
const made = (content: string | null, outputTokens: number, more: Partial<Completion> = {}): Completion => ({
  message: { role: 'assistant', content },
  finishReason: 'stop',
  usage: { inputTokens: 10, cachedInputTokens: 0, outputTokens },
  inferenceMilliseconds: 1,
  ...more,
});
const allThought = made(null, usual, { finishReason: 'length' });
const answer = 'The bridge is 503 m long, and it was opened in 1998.';

test('a model that thinks on some turns alone keeps its room for thinking', () => {
  const model = modelWith({});
  for (let turn = 0; turn < 30; turn++) {
    expect(
      noteThinking(deps, model, turn % 3 === 0 ? allThought : made(answer, 16), turn ? 40_000 : usual),
    ).toBe(turn === 0);
    expect(thinkingTokens(model)).toBeGreaterThan(0);
  }
});

test('a model that one question made think for a whole completion has no room for it after 20 answers without', () => {
  const model = modelWith({});
  expect(noteThinking(deps, model, allThought, usual)).toBe(true);
  expect(thinkingTokens(model)).toBe(limits.reservedReasoningTokens);
  for (let i = 0; i < 20; i++) expect(noteThinking(deps, model, made(answer, 16), 40_000)).toBe(false);
  expect(thinkingTokens(model)).toBe(0);
});

const opaque = { upstream: 'http://a b' };

test('tags that a question can ask for give a model room until its next answer without, and do not keep it', () => {
  const inTags = (content: string, more: Partial<Completion> = {}) =>
    made(null, usual, {
      message: { role: 'assistant', content: null, opaque: { ...opaque, content } },
      ...more,
    });
  const asked = modelWith({});
  expect(noteThinking(deps, asked, inTags('<think>so so', { finishReason: 'length' }), usual)).toBe(true);
  expect(thinkingTokens(asked)).toBeGreaterThan(0);
  noteThinking(deps, asked, made(answer, 16), 40_000);
  expect(thinkingTokens(asked)).toBe(0);
  for (const fields of [{}, { message: { provider_specific_fields: { refusal: null } } }]) {
    const renewed = modelWith({});
    const first = { ...opaque, ...fields, content: '<think>so so' };
    const message = { role: 'assistant' as const, content: null, opaque: first };
    noteThinking(deps, renewed, made(null, usual, { message, finishReason: 'length' }), usual);
    noteThinking(deps, renewed, made('1,2,3,4,5,6,7,8,9', 18), 40_000);
    noteThinking(deps, renewed, made(answer, 16), 40_000);
    expect(thinkingTokens(renewed)).toBe(0);
  }
  const kept = modelWith({});
  noteThinking(deps, kept, allThought, usual);
  for (let i = 0; i < 19; i++) noteThinking(deps, kept, made(answer, 16), 40_000);
  noteThinking(deps, kept, inTags('<think>Hm.</think>'), 40_000);
  noteThinking(deps, kept, made(answer, 16), 40_000);
  expect(thinkingTokens(kept)).toBe(0);
});

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
  const model = modelWith({});
  noteThinking(deps, model, allThought, usual);
  expect(noteThinking(deps, model, next, 40_000)).toBe(false);
  expect(thinkingTokens(model)).toBeGreaterThan(0);
});
