import { limits } from '@errand/platform';
import { expect, test } from 'vitest';
import { checkPrompt, openingMessages } from './conversation.ts';
import { collect, makeAgent } from './test-support/scripted-agent.ts';
import { saveFile } from './tools/save-file.ts';

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

test('the prompt says in which language to answer, when to stop, how many rounds there are, and what costs one', () => {
  const prompt = promptWith('write_todos', 'web_crawl');
  expect(prompt).toContain('Answer in the language of the question.');
  expect(prompt).toMatch(/Two or three searches are enough for a simple question\. Stop when results repeat/);
  expect(prompt).toContain(`there are ${limits.roundsPerRun}.`);
  expect(prompt).toMatch(/write_todos .* together with other calls: alone they cost a round/);
  expect(prompt).toMatch(/A snippet is not the page/);
});

test('the prompt speaks of links to files only where files can be saved, and else asks for their content', () => {
  const contentInstead = /Files cannot be saved: .* into the answer/;
  expect(promptWith('save_file')).toMatch(/repeat its link/);
  expect(promptWith('save_file')).not.toMatch(contentInstead);
  expect(promptWith()).not.toMatch(/its link/);
  expect(promptWith()).toMatch(contentInstead);
});

test('the prompt of a run that cannot save files is the one for it, though the tool that refuses is offered', async () => {
  const tools = [saveFile({}), saveFile({ fileExport: { save: async () => undefined } })];
  const prompts = [];
  for (const tool of tools) {
    const { deps, requests } = makeAgent([{ text: 'Done.' }], [tool]);
    await collect(deps);
    expect(requests[0]?.tools[0]?.function.name).toBe('save_file');
    prompts.push(requests[0]?.messages[0]?.content);
  }
  expect(prompts[0]).toMatch(/Files cannot be saved/);
  expect(prompts[1]).not.toMatch(/Files cannot be saved/);
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
