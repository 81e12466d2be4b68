import { makePdf } from '@errand/documents/testing';
import { describe, expect, test } from 'vitest';
import { wav } from '../support/wav.ts';
import { longText } from './support/long-texts.ts';
import { spoken } from './support/outside-world.ts';
import { call, type EndedRun, type Flows, openingOf, toolMessages, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

const url = (path: string) => flows.world.url + path;
const crawl = (path: string) => call('web_crawl', { url: url(path) });

function servePage(path: string, title: string, text: string): void {
  const body = `<html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;
  flows.world.pages.set(path, { type: 'text/html', body });
}

/** The claims that the citations span, with what they point to. */
const claimsOf = ({ view }: EndedRun) =>
  (view.citations ?? []).map(({ startIndex, endIndex, url, filename, passage }) => ({
    claim: view.result?.slice(startIndex, endIndex),
    source: filename ?? url,
    passage,
  }));

const textsOf = ({ events }: EndedRun) =>
  events.flatMap(({ type, text }) => (type === 'text' ? [String(text)] : []));

describe('the citations of an answer', () => {
  test('span its claims, name their sources, and have passages of those sources', async () => {
    servePage('/tides', 'Tides of Holland', 'High water is at noon.');
    servePage('/bridge', 'Bridges', 'The bridge is 503 m long.');
    const result = 'Two facts 🌊. High water is at noon [1]. The bridge is 503 m long [2].';
    const ended = await flows.run([[crawl('/tides'), crawl('/bridge')], { text: result }]);
    expect(ended.view.result).toBe(result);
    expect(claimsOf(ended)).toEqual([
      {
        claim: 'High water is at noon',
        source: url('/tides'),
        passage: expect.stringContaining('High water is at noon.'),
      },
      {
        claim: 'The bridge is 503 m long',
        source: url('/bridge'),
        passage: expect.stringContaining('The bridge is 503 m long.'),
      },
    ]);
    expect(ended.view.citations).toMatchObject([
      { type: 'url_citation', title: 'Tides of Holland', number: 1, quote: 'High water is at noon.' },
      { type: 'url_citation', title: 'Bridges', number: 2, quote: 'The bridge is 503 m long.' },
    ]);
    for (const citation of ended.view.citations ?? []) expect(citation).not.toHaveProperty('support');
  });

  test('of an uploaded PDF have the passage of the page that says it', async () => {
    const pages = Array.from({ length: 5 }, (_, i) => [
      ...Array.from(
        { length: 30 },
        (_, hour) => `Page ${i + 1}: nothing was seen from the deck in watch ${hour}.`,
      ),
      ...(i === 2 ? ['The mast was sold for ninety ducats.'] : []),
    ]);
    const ended = await flows.run(
      [{ text: 'The mast was sold for ninety ducats [1].' }],
      {},
      { name: 'log.pdf', bytes: makePdf(pages) },
    );
    expect(ended.view.citations).toMatchObject([
      {
        type: 'file_citation',
        filename: 'log.pdf',
        number: 1,
        place: 'page 3',
        quote: 'The mast was sold for ninety ducats.',
      },
    ]);
    expect(ended.view.citations?.[0]).not.toHaveProperty('url');
    const passage = claimsOf(ended)[0]?.passage;
    expect(passage).toContain('The mast was sold for ninety ducats.');
    expect(new Set(passage?.match(/Page \d/g))).toEqual(new Set(['Page 3']));
  });

  test('of a long upload have the passage that says it, also if the model was not shown it', async () => {
    const bytes = longText(1_500_000, { 700: 'The mast was sold for ninety ducats.' });
    const text = 'The mast was sold for ninety ducats [1].';
    const ended = await flows.run([{ text }], { question: 'What of chapter 3?' }, { name: 'log.txt', bytes });
    expect(openingOf(flows.asked()[0])).not.toContain('ninety ducats');
    const [citation] = claimsOf(ended);
    expect(citation?.passage).toContain('The mast was sold for ninety ducats.');
    expect(citation?.passage?.length).toBeLessThan(2_100);
    expect(bytes).toContain(citation?.passage);
  });

  test('of a recording and of a search result have the transcript and the snippet', async () => {
    flows.world.transcript = spoken('The ferry leaves at six.');
    flows.world.search = () => [
      { title: 'Ducats', url: url('/ducats'), content: 'A ducat is worth two ferries.' },
    ];
    const ended = await flows.run(
      [
        [call('web_search', { query: 'ducat' })],
        { text: 'The ferry leaves at six [1]. A ducat is worth two ferries [2].' },
      ],
      {},
      { name: 'talk.wav', bytes: wav(60) },
    );
    expect(claimsOf(ended)).toMatchObject([
      { source: 'talk.wav', passage: expect.stringContaining('The ferry leaves at six.') },
      { source: url('/ducats'), passage: 'A ducat is worth two ferries.' },
    ]);
  });
});

describe('numbers that point to no source', () => {
  test('stay in the text events and the result as they were written, and cite nothing', async () => {
    servePage('/tides', 'Tides', 'High water is at noon.');
    const text = 'High water is at noon [1][7]. So says [9] the page. `a[7]` and [7](https://example.org/).';
    const ended = await flows.run([[crawl('/tides')], { text }]);
    expect(ended.view.result).toBe(text);
    expect(textsOf(ended)).toEqual([text, text]);
    expect(ended.events.at(-1)).toMatchObject({ type: 'done', finalText: text });
    expect(ended.view.citations).toHaveLength(1);
  });

  test('stay in the answer of a run without sources, which has no citations', async () => {
    const ended = await flows.run([{ text: 'As the old saying goes [1].' }]);
    expect(ended.view.result).toBe('As the old saying goes [1].');
    expect(ended.view).not.toHaveProperty('citations');
  });

  test('stay in an answer that only the check gives', async () => {
    servePage('/tides', 'Tides', 'High water is at noon.');
    const ended = await flows.run([
      [crawl('/tides')],
      { text: 'At one [1].' },
      [call('confirm_answer', { answer: 'High water is at noon [1] [4].' })],
    ]);
    expect(ended.view.result).toBe('High water is at noon [1] [4].');
    expect(claimsOf(ended)).toMatchObject([{ claim: 'High water is at noon [1] [4].' }]);
  });
});

describe('the uncited sentences of a run', () => {
  const text = 'High water is at noon [1]. The keeper asks 7 ducats. So it is. It was Ruth who said it [9].';

  test('are counted where it has sources, with proof or without', async () => {
    servePage('/tides', 'Tides', 'High water is at noon.');
    for (const proof of [true, false]) {
      const { view } = await flows.run([[crawl('/tides')], { text }], { proof });
      expect(view).toMatchObject({ result: text, uncitedSentences: 2 });
    }
  });

  test('are 0 where all of it is cited, and absent without sources', async () => {
    servePage('/tides', 'Tides', 'High water is at noon.');
    const cited = await flows.run([[crawl('/tides')], { text: 'High water is at noon [1].' }]);
    expect(cited.view).toMatchObject({ uncitedSentences: 0 });
    const { view } = await flows.run([{ text }]);
    expect(view.result).toBe(text);
    expect(view).not.toHaveProperty('uncitedSentences');
  });
});

describe('the sources of a run', () => {
  test('are one for all spellings of an address, of which the first is shown', async () => {
    servePage('/b', 'B, whole', 'The keeper asks seven ducats.');
    const first = `${url('/b')}/?utm_source=mail#toll`;
    flows.world.search = () => [
      { title: 'B', url: first, content: 'seven' },
      { title: 'B', url: url('/b'), content: 'seven' },
    ];
    const ended = await flows.run([
      [call('web_search', { query: 'toll' })],
      [crawl('/b')],
      { text: 'The keeper asks seven ducats [1].' },
    ]);
    expect(ended.results[0]).not.toContain('[2]');
    expect(ended.results[1]).toMatch(/^\[1\] B, whole\n/);
    expect(claimsOf(ended)).toMatchObject([
      { source: first, passage: expect.stringContaining('The keeper asks seven ducats.') },
    ]);
  });

  test('are numbered across searches and reads: a result that is read keeps its number', async () => {
    servePage('/b', 'B, whole', 'The keeper asks seven ducats.');
    flows.world.search = (query) => [
      { title: 'A', url: url('/a'), content: `${query} in A` },
      { title: 'B', url: url('/b'), content: `${query} in B` },
    ];
    const ended = await flows.run([
      [call('web_search', { query: 'toll' })],
      [crawl('/b')],
      [call('web_search', { queries: ['keeper'] })],
      { text: 'The keeper asks seven ducats [2].' },
    ]);
    expect(ended.results[0]).toMatch(/^\[1\] A\n.*\n.*\n\n\[2\] B\n/);
    expect(ended.results[1]).toMatch(/^\[2\] B, whole\n/);
    expect(ended.results[2]).toMatch(/^\[1\] A\n.*\n.*\n\n\[2\] B\n/);
    expect(toolMessages(flows.asked()[3])).toHaveLength(3);
    expect(claimsOf(ended)).toMatchObject([
      { source: url('/b'), passage: expect.stringContaining('The keeper asks seven ducats.') },
    ]);
    expect(ended.view.citations?.[0]?.title).toBe('B, whole');
  });

  test('keep their numbers where calls of one turn find the same', async () => {
    servePage('/a', 'A', 'Seven ducats.');
    flows.world.search = () => [
      { title: 'B', url: url('/b'), content: 'b' },
      { title: 'A', url: url('/a'), content: 'a' },
    ];
    const { results } = await flows.run([
      [crawl('/a'), call('web_search', { query: 'a' }), crawl('/a')],
      { text: 'Seven [1].' },
    ]);
    expect(results[0]).toMatch(/^\[1\] A\n/);
    expect(results[1]).toMatch(/^\[2\] B\n.*\n.*\n\n\[1\] A\n/);
    expect(results[2]).toMatch(/^\[1\] A\n/);
  });

  test('are searched for by several queries at once, each result once', async () => {
    flows.world.search = (query) => [
      { title: 'Both', url: url('/both#part'), content: 'both' },
      { title: query, url: url(`/${query}`), content: query },
    ];
    const { results } = await flows.run([
      [call('web_search', { query: 'tides', queries: ['moon', 'tides'] })],
      { text: 'Noon.' },
    ]);
    expect(flows.world.asked.toSorted()).toEqual(['search moon', 'search tides']);
    expect([...results[0]!.matchAll(/^\[(\d)\] (\w+)$/gm)].map(([, ...found]) => found)).toEqual([
      ['1', 'Both'],
      ['2', 'tides'],
      ['3', 'moon'],
    ]);
  });

  test('are none where no query has a result', async () => {
    const { results } = await flows.run([
      [call('web_search', { queries: ['nothing', 'at all'] })],
      { text: 'None.' },
    ]);
    expect(results).toEqual(['No results for "nothing".\nNo results for "at all".']);
  });
});
