import { expect, test } from 'vitest';
import { addressName, numberSources } from './number-sources.ts';

test('a source that is read keeps the title of the search that found it, unless it has one itself', () => {
  const url = 'https://example.com/report.txt';
  const found = numberSources([], [{ kind: 'result', url, title: 'Harbour report' }]).sources;
  const read = numberSources(found, [{ kind: 'document', url, title: undefined, snippet: 'Ships.' }]).sources;
  expect(read).toEqual([{ kind: 'document', url, title: 'Harbour report', snippet: 'Ships.', number: 1 }]);
  const named = numberSources(read, [{ kind: 'page', url, title: 'Ships' }]).sources;
  expect(named).toMatchObject([{ title: 'Ships', number: 1 }]);
});

test('a page is one source, however its address is spelled, and shows the spelling that was met first', () => {
  const spellings = [
    'http://www.example.com/report/?utm_source=x&id=7#part',
    'https://example.com/report?id=7',
    'https://www.example.com/report/?id=7&UTM_Medium=mail',
    'HTTPS://Example.com:443/report?id=7#',
  ];
  const results = spellings.map((url) => ({ kind: 'result' as const, url }));
  const { sources, numbers } = numberSources([], results);
  expect(numbers).toEqual([1, 1, 1, 1]);
  const read = numberSources(sources, [{ kind: 'page', url: spellings[1], material: 'm' }]);
  expect(read).toEqual({
    sources: [{ kind: 'page', url: spellings[0], material: 'm', number: 1 }],
    numbers: [1],
  });
});

test.each([
  ['other paths', 'https://example.com/a', 'https://example.com/b'],
  ['other queries', 'https://example.com/?a=1', 'https://example.com/?a=2'],
  ['other hosts', 'https://example.com/', 'https://www2.example.com/'],
  ['other ports', 'https://example.com/', 'https://example.com:8443/'],
  ['cases of a path', 'https://example.com/a', 'https://example.com/A'],
])('pages with %s are two sources', (_, one, other) => {
  expect(addressName(one)).not.toBe(addressName(other));
});

test('a source remembers the passages that were shown of it, the last shown first', () => {
  const page = (shown: number[]) => ({ kind: 'page' as const, url: 'https://example.com', shown });
  const { sources } = numberSources(numberSources([], [page([1, 2])]).sources, [page([5, 2])]);
  expect(sources).toMatchObject([{ shown: [5, 2, 1] }]);
});
