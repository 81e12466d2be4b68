import { cutNotice } from '@errand/agent/testing';
import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { call, confirm, type EndedRun, type Flows, toolMessages, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

interface Entry {
  kind: string;
  amount: string;
  runId?: string;
  outputTokens: number;
}

async function entriesOf({ agentId }: EndedRun): Promise<Entry[]> {
  const response = await flows.service.request('/v1/credits/entries?limit=100');
  return ((await response.json()) as { entries: Entry[] }).entries.filter(({ runId }) => runId === agentId);
}

const textsOf = ({ events }: EndedRun) => events.flatMap(({ type, text }) => (type === 'text' ? [text] : []));

describe('an answer that is cut by its greatest length', () => {
  const cut = (text: string, output: number) => ({ text, finish: 'length', usage: { input: 100, output } });

  test('is continued until it is whole, and each completion is charged once', async () => {
    const ended = await flows.run([
      cut('1. one 2. tw', 11),
      cut('o 3. thr', 12),
      { text: 'ee', usage: { input: 100, output: 13 } },
    ]);
    expect(ended.view).toMatchObject({ status: 'succeeded', result: '1. one 2. two 3. three' });
    expect(textsOf(ended)).toEqual(Array(2).fill('1. one 2. two 3. three'));
    const outputs = (await entriesOf(ended)).map(({ outputTokens }) => outputTokens);
    expect(outputs.toSorted()).toEqual([10, 11, 12, 13]);
    expect(ended.view.usage).toMatchObject({ completions: 4, outputTokens: 46, inputTokens: 400 });
  });

  test('ends after its last continuation with a line that says so', async () => {
    const parts = Array.from({ length: 1 + limits.answerContinuations }, (_, i) => `part ${i + 1} `);
    const ended = await flows.run(parts.map((text) => cut(text, 10)));
    expect(ended.view.result).toBe(`${parts.join('').trimEnd()}\n\n${cutNotice}`);
    expect(await entriesOf(ended)).toHaveLength(parts.length + 1);
  });

  test('is not replaced by a check that is cut, nor by one that is filtered', async () => {
    for (const finish of ['length', 'content_filter']) {
      const ended = await flows.run([{ text: '1. one 2. two 3. three' }, { text: '1. one 2. tw', finish }]);
      expect(ended.view).toMatchObject({ status: 'succeeded', result: '1. one 2. two 3. three' });
      expect(await entriesOf(ended)).toHaveLength(2);
    }
  });

  test('is kept, with the line that says so, if the credits do not pay for its continuation', async () => {
    const ended = await flows.run([cut('1. one 2. tw', 9_900)], { maxCredits: '0.022' });
    expect(ended.view).toMatchObject({ status: 'succeeded', stopReason: 'credits' });
    expect(ended.view.result).toBe(`1. one 2. tw\n\n${cutNotice}`);
    expect(await entriesOf(ended)).toHaveLength(1);
  });

  test('is retried if it is empty once, and both completions are charged', async () => {
    const ended = await flows.run([{ text: '' }, { text: 'Here.' }]);
    expect(ended.view.result).toBe('Here.');
    expect(await entriesOf(ended)).toHaveLength(3);
    const empty = flows.asked().flatMap(({ messages }) => messages.filter(({ content }) => content === ''));
    expect(empty).toEqual([]);
  });
});

describe('a file in parts', () => {
  const save = (content: string, more: object = {}) =>
    call('save_file', { filename: 'log.md', content, ...more });
  const append = { append: true };

  /** The file behind each link that the run was given, which are all the same file. */
  async function download({ results }: EndedRun): Promise<string[]> {
    const links = results.flatMap((result) => /https?:\S+/.exec(result)?.[0] ?? []);
    expect(new Set(links.map((link) => new URL(link).pathname)).size).toBe(1);
    return Promise.all(links.map(async (link) => (await fetch(link)).text()));
  }

  test('is one file of the joined bytes, saved in one turn or in several', async () => {
    const parts = ['# Log\n', 'Ünï 🌊\n', 'End.\n'] as const;
    const whole = parts.join('');
    const ended = await flows.run([
      [save(parts[0]), save(parts[1], append)],
      [save(parts[2], append)],
      { text: 'Saved.' },
    ]);
    expect(await download(ended)).toEqual([whole, whole, whole]);
    expect(ended.results[2]).toContain(`(${Buffer.byteLength(whole)} bytes)`);
  });

  test('is replaced without append, and is created by append if it does not exist', async () => {
    const begun = await flows.run([
      [save('a', append), save('b', append), save('c'), save('d', append)],
      { text: 'Saved.' },
    ]);
    expect(await download(begun)).toEqual(Array(4).fill('cd'));
  });

  test('that would exceed the limit is refused, and stays as it was', async () => {
    const half = 'x'.repeat(limits.savedFileBytes / 2);
    const ended = await flows.run([
      [save(half), save(half, append)],
      [save('y', append), save('z', append)],
      { text: 'Saved.' },
    ]);
    expect(ended.results.slice(2)).toEqual(
      Array(2).fill(
        `Error: The file has ${limits.savedFileBytes + 1} bytes; at most ${limits.savedFileBytes} can be saved.`,
      ),
    );
    expect(await download(ended)).toEqual(Array(2).fill(half + half));
  });

  test('is made after a call was cut: the model reads how to save in parts, and only whole calls are made', async () => {
    const ended = await flows.run([
      { calls: [{ name: 'save_file', args: '{"filename":"log.md","content":"# Lo' }], finish: 'length' },
      [save('# Log\n')],
      [save('End.\n', append)],
      { text: 'Saved.' },
      confirm,
    ]);
    expect(ended.results[0]).toMatch(/^Error: This call of save_file was not made: it was cut off.*append/);
    expect(toolMessages(flows.asked()[1])[0]).toBe(ended.results[0]);
    expect(await download(ended)).toEqual(Array(2).fill('# Log\nEnd.\n'));
    expect(await entriesOf(ended)).toHaveLength(5);
  });
});
