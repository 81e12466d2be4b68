import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Source } from '../data.ts';
import { type AgentState, initialState } from '../state.ts';
import { collect, eventsOf, makeAgent } from '../test-support/scripted-agent.ts';

const sources: Source[] = Array.from({ length: 20 }, (_, i) => ({
  number: i + 1,
  kind: 'page',
  url: `https://example.com/${i + 1}`,
}));
/** The answer of a run with so many sources, whose model writes the text and confirms it. */
async function answered(text: string, count = sources.length) {
  const from: AgentState = { ...initialState, sources: sources.slice(0, count) };
  const { deps } = makeAgent((_, number) => (number === 1 ? { text } : { calls: [['confirm_answer', {}]] }));
  const all = await collect(deps, { question: 'q' }, from);
  const done = eventsOf(all).at(-1);
  return {
    finalText: done?.type === 'done' ? done.finalText : undefined,
    citations: all.at(-1)?.citations ?? [],
  };
}

async function expectUntouched(text: string, count?: number) {
  expect(await answered(text, count)).toEqual({ finalText: text, citations: [] });
}

const json = fc.json({ maxDepth: 4 }).filter((text) => text.trim() !== '');
/** Prose with brackets, but none that hold numbers alone. */
const prose = fc
  .array(
    fc.constantFrom(
      'water',
      '[',
      ']',
      '[x]',
      '[a, b]',
      '5',
      '.',
      ' ',
      '\n',
      '(1)',
      '*',
      '🜁',
      '水',
      '^',
      '{',
      '}',
      '$',
    ),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '' && !/\[\^?[\s\d]*\]/.test(text));
const code = fc
  .array(
    fc.constantFrom(
      'x[1]',
      'a[1][2]',
      'f([3])',
      ' = ',
      '\n',
      '[4]',
      '"[5]"',
      '// see [6]',
      '【7】',
      '{',
      '}',
      ';',
    ),
    {
      minLength: 1,
      maxLength: 30,
    },
  )
  .map((parts) => parts.join(''));
const inline = code.map((text) => text.replaceAll('\n', ' ').trim());

describe('the text of an answer', () => {
  it.each<[string, string, number?]>([
    ['JSON', '{"spans":[12, 15, 12],"lanes":[2]}'],
    ['ages', 'Ages [18-25] were asked.', 3],
    ['an interval', 'The interval [5, 7] is closed.', 3],
    ['JSON in prose', 'The result:\n\n{"note": "see [1]",\n\n "lanes": [2]}\n\nThat is all.'],
    ['JSON that is cut', 'Here: {"spans":[12, 15, 12],"lanes":[2],"rest":[3'],
    ['nested lists', 'The matrix [[1, 2], [3, 4]] is regular.'],
    ['numbers of no source', 'It is 5 [77] , or  6 [88][99] .'],
    ['an assignment', 'Then x[1] = 5 holds.'],
    ['an index of two', 'The cell a[1][2] holds 5.'],
    ['an index of two at the end', 'It is in a[1][2].'],
    ['math', 'So $v[1] + [2]$, \\(x [3]\\), $$[4]$$ and\n\\[ y = [5] \\]'],
    [
      'links',
      '[12](https://example.org/) and [text][1] are links.\n\n[^3]: A note.\n[1]: https://example.org',
    ],
  ])('stays as it is, and cites nothing: %s', async (_, text, count) => expectUntouched(text, count));

  it('stays byte for byte as it was written, and cites nothing, where it has no marker', async () => {
    await fc.assert(fc.asyncProperty(prose, (text) => expectUntouched(text)));
  });

  it('stays byte for byte as it was written, and cites nothing, where it is JSON', async () => {
    await fc.assert(fc.asyncProperty(json, (text) => expectUntouched(text)));
  });

  it('stays byte for byte as it was written, and cites nothing, where it is an object of JSON in prose', async () => {
    const object = fc
      .dictionary(fc.string({ minLength: 1 }), fc.oneof(fc.json(), fc.array(fc.nat(20))), { minKeys: 1 })
      .map((value) => `The result is ${JSON.stringify(value, null, 1)} as asked.`);
    await fc.assert(fc.asyncProperty(object, (text) => expectUntouched(text)));
  });

  it('stays byte for byte as it was written, and cites nothing, where it is code', async () => {
    const fenced = code.map((text) => `Run this:\n\n\`\`\`js\n${text}\n\`\`\`\n\nIt works.`);
    const spans = inline.filter((text) => text !== '').map((text) => `Call \`${text}\` once.`);
    await fc.assert(fc.asyncProperty(fc.oneof(fenced, spans), (text) => expectUntouched(text)));
  });

  it('is what the indices of its citations point at', async () => {
    const part = fc.constantFrom(
      'Water is wet',
      ' [1]',
      '[77]',
      '【2】',
      '. ',
      '\n\n',
      '🜁 ',
      '{"a":[3]} ',
      '`x[4]` ',
      ' [5, 88]',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 20 }), async (parts) => {
        const text = parts.join('');
        fc.pre(text.trim() !== '');
        const { finalText, citations } = await answered(text);
        expect(finalText).toBe(text);
        for (const { startIndex, endIndex } of citations) {
          expect(endIndex).toBeLessThanOrEqual(text.length);
          expect(text.slice(startIndex, endIndex)).toMatch(/[\p{L}\p{N}]/u);
          expect(text.slice(startIndex, endIndex)).not.toMatch(/^\s|\s$/);
        }
      }),
    );
  });
});

test('what resolves is cited, and the rest of the text stays beside it', async () => {
  const text = 'Water[1]. Oil【2】! Tar［3］? Wax [^4]. Ice [5, 77]. Fog [6][7], [88]. Ages [19-25].';
  const { finalText, citations } = await answered(text);
  expect(finalText).toBe(text);
  expect(citations.map((one) => [text.slice(one.startIndex, one.endIndex), 'url' in one && one.url])).toEqual(
    [
      ['Water', 1],
      ['Oil', 2],
      ['Tar', 3],
      ['Wax', 4],
      ['Ice', 5],
      ['Fog [6][7], [88].', 6],
      ['Fog [6][7], [88].', 7],
      ['Ages', 19],
      ['Ages', 20],
    ].map(([claim, number]) => [claim, `https://example.com/${number}`]),
  );
});
