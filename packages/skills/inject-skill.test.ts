import fc from 'fast-check';
import { expect, test } from 'vitest';
import { injectSkill } from './inject-skill.ts';

const skill = { block: '<user_skill>\nDo.\n</user_skill>' };
const user = { role: 'user', content: 'Hello' };
const system = (content: unknown) => ({ role: 'system', content });

test('the block follows a system prompt in the same message', () => {
  expect(injectSkill([system('Be kind.'), user], skill)).toEqual([
    system(`Be kind.\n\n${skill.block}`),
    user,
  ]);
});

test('content in parts gets one more part, and the message keeps its other fields', () => {
  const parts = [{ type: 'text', text: 'Be kind.' }];
  expect(injectSkill([{ ...system(parts), name: 'boss' }, user], skill)).toEqual([
    { role: 'system', name: 'boss', content: [...parts, { type: 'text', text: skill.block }] },
    user,
  ]);
});

test('without a system prompt one is put in front', () => {
  expect(injectSkill([user], skill)).toEqual([system(skill.block), user]);
  expect(injectSkill([], skill)).toEqual([system(skill.block)]);
});

test.each([[undefined], [null], ['']])(
  'a system message with content %j holds the block alone',
  (content) => {
    expect(injectSkill([system(content), user], skill)).toEqual([system(skill.block), user]);
  },
);

test('of several system messages in front, the last one is continued', () => {
  const messages = [system('one'), system('two'), user, system('later')];
  expect(injectSkill(messages, skill)).toEqual([
    system('one'),
    system(`two\n\n${skill.block}`),
    user,
    system('later'),
  ]);
  expect(injectSkill([system('only')], skill)).toEqual([system(`only\n\n${skill.block}`)]);
});

test('a system message further on is continued where it stands, not preceded by another', () => {
  expect(injectSkill([user, system('now'), user, system('then')], skill)).toEqual([
    user,
    system(`now\n\n${skill.block}`),
    user,
    system('then'),
  ]);
});

test('a developer message is a system prompt too', () => {
  expect(injectSkill([{ role: 'developer', content: 'Be kind.' }, user], skill)).toEqual([
    { role: 'developer', content: `Be kind.\n\n${skill.block}` },
    user,
  ]);
});

test('content of an unknown kind is left to the upstream, and the block follows it', () => {
  expect(injectSkill([system(5), user], skill)).toEqual([system(5), system(skill.block), user]);
});

test('the input is not changed, and the block occurs exactly once, at the end of the system prompt', () => {
  const message = fc.record({
    role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool'),
    content: fc.oneof(
      fc.string(),
      fc.constant(null),
      fc.array(fc.record({ type: fc.constant('text'), text: fc.string() })),
    ),
  });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 6 }), (messages) => {
      const before = structuredClone(messages);
      const after = injectSkill(messages, skill);
      expect(messages).toEqual(before);
      const hasPrompt = messages.some(({ role }) => role === 'system' || role === 'developer');
      expect(after).toHaveLength(messages.length + (hasPrompt ? 0 : 1));
      expect(JSON.stringify(after).split(JSON.stringify(skill.block).slice(1, -1))).toHaveLength(2);
      const changed = after.filter((each) => !messages.includes(each as (typeof messages)[number]));
      expect(changed).toHaveLength(1);
    }),
  );
});
