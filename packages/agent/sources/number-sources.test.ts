import { expect, test } from 'vitest';
import { numberSources } from './number-sources.ts';

test('a source that is read keeps the title of the search that found it, unless it has one itself', () => {
  const url = 'https://example.com/report.txt';
  const found = numberSources([], [{ kind: 'result', url, title: 'Harbour report' }]).sources;
  const read = numberSources(found, [{ kind: 'document', url, title: undefined, snippet: 'Ships.' }]).sources;
  expect(read).toEqual([{ kind: 'document', url, title: 'Harbour report', snippet: 'Ships.', number: 1 }]);
  const named = numberSources(read, [{ kind: 'page', url, title: 'Ships' }]).sources;
  expect(named).toMatchObject([{ title: 'Ships', number: 1 }]);
});
