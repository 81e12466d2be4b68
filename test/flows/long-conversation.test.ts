import { expect, test } from 'vitest';
import { longText } from './support/long-texts.ts';
import { call, type Flows, openingOf, toolMessages, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

const pages = 16;
const finding = (page: number) => `The keeper of lighthouse ${page} asks ${page * 111} ducats of every ship.`;

test("a conversation that outgrows its model's context keeps what was asked for, says what was left out, and shows it again without another fetch", async () => {
  const url = (page: number) => `${flows.world.url}/${page}.txt`;
  for (let page = 1; page <= pages; page++)
    flows.world.pages.set(`/${page}.txt`, {
      type: 'text/plain',
      body: longText(10_000, { 5: finding(page), 8: `A secret of page ${page} lies here.` }),
    });
  const question = 'How many ducats do the keepers ask?';
  const plan = call('write_todos', { todos: [{ content: 'Read all lighthouses', status: 'pending' }] });
  const reads = Array.from({ length: pages }, (_, i) => [call('document_parse', { url: url(i + 1) })]);
  const again = [call('document_parse', { url: url(1), query: 'secret' })];
  const { results } = await flows.run([[plan], ...reads, again, { text: 'Many [1].' }], { question });
  const last = flows.asked().at(-2);
  expect(openingOf(last)).toContain(question);
  expect(JSON.stringify(last?.messages)).toContain('Read all lighthouses');
  const [planned, first, ...others] = toolMessages(last);
  expect(planned).toContain('Read all lighthouses');
  expect(first).toContain(finding(1));
  expect(first).not.toContain('A secret of page 1');
  expect(first).toMatch(/left out to fit the model's context: \d+ characters/);
  expect(first!.length).toBeLessThan(2_500);
  expect(others.at(-2)).toContain(finding(pages));
  expect(others.at(-2)).toContain(`A secret of page ${pages}`);
  expect(results.at(-1)).toContain('A secret of page 1 lies here.');
  expect(flows.world.asked).toEqual(Array.from({ length: pages }, (_, i) => `page /${i + 1}.txt`));
});
