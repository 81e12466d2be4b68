import { createErrand, type Errand, InvalidRequestError, type Progress } from '@errand/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { inTurn, type Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
let errand: Errand;
const asked: string[] = [];

useService((started) => ({ provider, service } = started));
beforeAll(() => {
  errand = createErrand({
    ...service,
    fetch: (input, init) => {
      asked.push(
        `${init?.method ?? 'GET'} ${new URL(input instanceof Request ? input.url : input).pathname}`,
      );
      return fetch(input, init);
    },
  });
});

const report = (bytes: number) =>
  new File(['The crew is of three. '.repeat(Math.ceil(bytes / 22)).slice(0, bytes)], 'report.txt');

async function startWith(file: Blob, more: { filename?: string } = {}) {
  asked.length = 0;
  const progress: Progress[] = [];
  provider.script(inTurn({ text: 'Of three.' }));
  const run = await errand.runs.start(
    { question: 'Of how many is the crew?', metadata: { of: 'test' }, tools: [], maxCredits: '0.5' },
    { file, onProgress: (step) => progress.push(step), ...more },
  );
  return { run, progress };
}

const grows = (progress: Progress[]) =>
  progress.every(({ sentBytes }, i) => sentBytes >= (progress[i - 1]?.sentBytes ?? 0));

describe('a file', () => {
  test('that fits a form is sent with the run, and its progress is reported', async () => {
    const { run, progress } = await startWith(report(200_000));
    expect(asked).toEqual(['POST /v1/agents/runs']);
    expect(progress.length).toBeGreaterThan(3);
    expect(grows(progress)).toBe(true);
    expect(progress[0]?.sentBytes).toBe(0);
    expect(progress.at(-1)?.sentBytes).toBe(progress.at(-1)?.totalBytes);
    expect(await run.wait()).toMatchObject({ status: 'succeeded', metadata: { of: 'test' } });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('The crew is of three.');
  });

  test('that is larger than a form may be is sent by a link, and its progress is reported', async () => {
    const bytes = 3_600_000;
    const { run, progress } = await startWith(report(bytes));
    expect(asked).toEqual(['POST /v1/uploads', expect.stringMatching(/^PUT /), 'POST /v1/agents/runs']);
    expect(progress.at(-1)).toEqual({ sentBytes: bytes, totalBytes: bytes });
    expect(grows(progress)).toBe(true);
    expect(await run.wait()).toMatchObject({ status: 'succeeded' });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('The crew is of three.');
  });

  test('without a name is refused before anything is sent', async () => {
    await expect(startWith(new Blob(['text']))).rejects.toBeInstanceOf(TypeError);
    expect(asked).toEqual([]);
  });

  test('without a name gets one from the caller', async () => {
    const { run } = await startWith(new Blob(['The crew is of three.']), { filename: 'crew.md' });
    expect(await run.wait()).toMatchObject({ status: 'succeeded' });
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain('crew.md');
  });

  test('of a kind that runs do not read is refused in the service’s words', async () => {
    const starting = startWith(new File(['?'], 'report.xyz'));
    await expect(starting).rejects.toBeInstanceOf(InvalidRequestError);
    await expect(starting).rejects.toMatchObject({ status: 415, message: expect.stringContaining('.xyz') });
  });
});

test('an upload can be sent ahead of its run, without progress', async () => {
  const { uploadId } = await errand.uploads.send(report(1000));
  provider.script(inTurn({ text: 'Of three.' }));
  const run = await errand.runs.start({ question: 'Of how many?', uploadId });
  expect(await run.wait()).toMatchObject({ status: 'succeeded' });
});

test('the key goes to the service alone, not to the storage', async () => {
  const keys: [string, boolean][] = [];
  const watched = createErrand({
    ...service,
    fetch: (input, init) => {
      keys.push([init?.method ?? 'GET', new Headers(init?.headers).has('Authorization')]);
      return fetch(input, init);
    },
  });
  await watched.uploads.send(report(1000));
  expect(keys).toEqual([
    ['POST', true],
    ['PUT', false],
  ]);
});

test('an aborted upload ends with the reason', async () => {
  const abort = new AbortController();
  const reason = new Error('enough');
  const onProgress = ({ sentBytes }: Progress) => sentBytes > 0 && abort.abort(reason);
  const sending = errand.uploads.send(report(3_000_000), { onProgress, signal: abort.signal });
  await expect(sending).rejects.toBe(reason);
});
