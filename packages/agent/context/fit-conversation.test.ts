import { countTokens } from '@errand/models';
import { limits } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ConversationMessage } from '../state.ts';
import { fitConversation } from './fit-conversation.ts';
import { contextCharacters, cutText } from './size.ts';

const size = (messages: readonly ConversationMessage[]) =>
  messages.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);

test('a cut text is a beginning of the text and a note of how much is missing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), fc.nat(300), (text, max) => {
      const cut = cutText(text, max);
      if (text.length <= max) return cut === text;
      const [, kept = '', missing] = /^([\s\S]*)\n\n\[(\d+) more characters were cut here/.exec(cut) ?? [];
      return text.startsWith(kept) && kept.length + Number(missing) === text.length && cut.isWellFormed();
    }),
  );
});

test('a conversation that fits is left alone', () => {
  const messages: ConversationMessage[] = [
    { role: 'system', content: 's' },
    { role: 'user', content: 'u' },
  ];
  expect(fitConversation(messages, 10)).toEqual(messages);
});

test('the oldest tool results go first, each with a note, and the newest stays', () => {
  const messages: ConversationMessage[] = [
    { role: 'user', content: 'question' },
    { role: 'tool', tool_call_id: '1', content: 'a'.repeat(5_000) },
    { role: 'tool', tool_call_id: '2', content: 'b'.repeat(5_000) },
    { role: 'tool', tool_call_id: '3', content: 'c'.repeat(5_000) },
  ];
  const fitted = fitConversation(messages, 8_000);
  expect(fitted.map(({ content }) => content)).toEqual([
    'question',
    expect.stringContaining('5000 characters was dropped'),
    expect.stringContaining('5000 characters was dropped'),
    'c'.repeat(5_000),
  ]);
});

test('a document that fills the context leaves room for what the tools found', () => {
  const messages: ConversationMessage[] = [
    { role: 'user', content: 'd'.repeat(50_000) },
    { role: 'tool', tool_call_id: '1', content: 'a short result that the model asked for'.repeat(5) },
  ];
  const [opening, result] = fitConversation(messages, 8_000);
  expect(result).toEqual(messages[1]);
  expect(opening?.content?.length).toBeGreaterThan(7_000);
  expect(opening?.content).toContain('more characters were cut here');
});

test.each([
  ['prose', 'The harbour was quiet when the first boats came in that morning. '],
  ['decimals', '12.375,0.0481,998.2,-17.04\n'],
  ['Chinese', '港口在清晨第一批船只到来时十分安静，只有海鸥的叫声。'],
  ['Japanese', '最初の船が入港した朝、港は静かで、カモメの声だけが聞こえた。'],
  ['Thai', 'ท่าเรือเงียบสงบเมื่อเรือลำแรกเข้ามาในเช้าวันนั้น '],
])('a long document of %s fits the tokens that there are', async (_, sentence) => {
  const contextTokens = 16_384;
  const messages: ConversationMessage[] = [{ role: 'user', content: sentence.repeat(5_000) }];
  const [fitted] = fitConversation(messages, contextCharacters(contextTokens));
  const tokens = await countTokens(fitted?.content ?? '');
  expect(tokens).toBeLessThan(contextTokens - limits.outputTokensPerCompletion);
  expect(tokens).toBeGreaterThan(2_000);
});

test('any conversation is brought within the context, keeping its order and roles', () => {
  const message = fc.oneof(
    fc.record({ role: fc.constant('user' as const), content: fc.string({ maxLength: 6_000, size: 'max' }) }),
    fc.record({
      role: fc.constant('tool' as const),
      tool_call_id: fc.constant('x'),
      content: fc.string({ maxLength: 6_000, size: 'max' }),
    }),
  );
  fc.assert(
    fc.property(fc.array(message, { minLength: 1, maxLength: 8 }), (messages) => {
      const fitted = fitConversation(messages, 4_000);
      expect(fitted.map(({ role }) => role)).toEqual(messages.map(({ role }) => role));
      expect(size(fitted)).toBeLessThanOrEqual(Math.max(4_000, messages.length * 200));
    }),
    { numRuns: 50 },
  );
});
