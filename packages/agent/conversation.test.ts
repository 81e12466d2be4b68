import { expect, test } from 'vitest';
import { checkPrompt, openingMessages } from './conversation.ts';

const now = Date.UTC(2026, 10, 22);

function promptWith(...tools: string[]): string {
  const opening = { readings: [], documentSeen: false, attachmentNumber: undefined, tools };
  return String(openingMessages({ question: 'q' }, opening, now)[0]?.content);
}

test('the prompt asks for a plan, a second source, what was not found, and citations', () => {
  const prompt = promptWith('write_todos', 'save_data');
  expect(prompt).toMatch(/several parts, write a plan with write_todos/);
  expect(prompt).toMatch(/look for a second source/);
  expect(prompt).toMatch(/could not find, say in the answer/);
  expect(prompt).toMatch(/Put the number behind each statement/);
  expect(prompt).toMatch(/only if the question asks for it/);
});

test('the prompt names no tool that the run does not have', () => {
  const named = ['write_todos', 'document_parse', 'read_data', 'save_data', 'request_input'];
  for (const tool of named) {
    expect(promptWith(...named)).toContain(tool);
    expect(promptWith(...named.filter((other) => other !== tool))).not.toContain(tool);
  }
});

test("the check's question names as many weak claims as fit, and says how many it leaves out", () => {
  const weak = Array.from({ length: 50 }, (_, i) => ({ text: `Claim ${i}.`, passage: 'p '.repeat(400) }));
  const question = checkPrompt(weak, 5_000);
  expect(question.length).toBeLessThan(6_500);
  expect(question).toContain('Claim 0.');
  expect(question).toMatch(/\d+ further claims/);
  expect(checkPrompt()).toContain('confirm_answer');
});
