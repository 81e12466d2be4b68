import { type RunEvent, stepWords } from '@errand/client';
import { describe, expect, test } from 'vitest';
import { savedFiles } from './saved-files.ts';
import { showInput, summarise, tellProgress, toTimeline } from './timeline.ts';

type Told = RunEvent extends infer E ? (E extends RunEvent ? Omit<E, 'id'> : never) : never;

const events = (...told: Told[]): RunEvent[] => told.map((event, i) => ({ ...event, id: i + 1 }) as RunEvent);

const start = (step: number): Told => ({ type: 'step_start', step, description: 'LLM agentic loop' });
const call = (toolName: string, input: string): Told => ({ type: 'tool_call', toolName, input });
const result = (toolName: string, text: string): Told => ({ type: 'tool_result', toolName, result: text });

describe('the timeline of a run', () => {
  test('gives each call the result that came for it', () => {
    const [step] = toTimeline(
      events(
        start(1),
        call('web_search', '{"query":"a"}'),
        call('web_crawl', '{"url":"b"}'),
        call('web_search', '{"query":"c"}'),
        result('web_search', 'of a'),
        result('web_crawl', 'of b'),
      ),
    );
    expect(step!.items.map((item) => item.kind === 'call' && [summarise(item.input), item.result])).toEqual([
      ['a', 'of a'],
      ['b', 'of b'],
      ['c', undefined],
    ]);
  });

  test('tells what goes on, step by step', () => {
    expect(tellProgress([])).toBe('The run waits for a worker.');
    const told = [start(1), call('web_search', '{}')];
    expect(tellProgress(toTimeline(events(...told)))).toBe('Step 1, Working on the question: web_search');
    expect(tellProgress(toTimeline(events(...told, result('web_search', 'x'))))).toBe(
      'Step 1, Working on the question',
    );
  });

  test('shows unknown events as they came', () => {
    expect(stepWords('Something new')).toBe('Something new');
    expect(showInput('no json')).toBe('no json');
    expect(toTimeline([{ id: 1, type: 'news' } as unknown as RunEvent])).toEqual([]);
  });

  test('says what each call is about', () => {
    expect(summarise('{"queries":["a","b"]}')).toBe('a · b');
    expect(summarise({ url: 'https://a', question: 'b' })).toBe('https://a');
    expect(summarise('{"todos":[]}')).toBe('');
  });
});

describe('saved files', () => {
  const saved = (name: string, bytes: number, url: string) =>
    result(
      'save_file',
      `Saved ${name} (${bytes} bytes). Download link, valid until 2026-01-02T00:00:00.000Z: ${url}`,
    );

  test('are told once each, as they were saved last', () => {
    const files = savedFiles(
      events(
        saved('a.csv', 1, 'https://h/1'),
        saved('b.md', 2, 'https://h/2'),
        saved('a.csv', 3, 'https://h/3'),
      ),
    );
    expect(files.map(({ name, bytes, url }) => [name, bytes, url])).toEqual([
      ['a.csv', 3, 'https://h/3'],
      ['b.md', 2, 'https://h/2'],
    ]);
  });

  test('do not include files that other tools or other addresses name', () => {
    const text = 'Saved a.csv (1 bytes). Download link, valid until 2026: https://h/1';
    expect(savedFiles(events(result('web_crawl', text), saved('a.csv', 1, 'javascript:alert(1)')))).toEqual(
      [],
    );
  });
});
