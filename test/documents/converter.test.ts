import { readFile } from 'node:fs/promises';
import {
  type ConversionCall,
  convertStored,
  DocumentError,
  type DocumentReader,
  readByConverter,
  readInThread,
} from '@errand/documents';
import { awsSettings } from '@errand/local/testing';
import {
  createFiles,
  type Files,
  FunctionFailure,
  type InvokeFunction,
  isAwsTrouble,
  type StartTimer,
  silentLog,
} from '@errand/platform';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { endpointsOf } from '../uploads/support.ts';

let service: TestService;
let files: Files;
/** Timers of the converter that were started, each to be fired by a test. */
let timers: (() => void)[];

useServiceAlone((started) => ({ service } = started));
beforeAll(async () => {
  files = createFiles(awsSettings(await endpointsOf(service)));
});
beforeEach(() => {
  timers = [];
});

const startTimer: StartTimer = (_, end) => {
  timers.push(end);
  return () => void timers.splice(timers.indexOf(end), 1);
};
const clock = Object.assign(() => 0, { startTimer });

const convert = (call: object, from: Files = files) =>
  convertStored({ files: from, clock, log: silentLog }, call as ConversionCall);

/** Calls the converter in this process, as Lambda would: text goes in, text comes out, and it cannot be stopped. */
const invoke: InvokeFunction = async (_, call) =>
  JSON.parse(JSON.stringify(await convert(JSON.parse(JSON.stringify(call)))));

const byConverter = (more: { invoke?: InvokeFunction } = {}): DocumentReader =>
  readByConverter({ files, invoke, converterFunction: 'converter', log: silentLog, ...more });

const failing =
  (errorType: string): InvokeFunction =>
  async () => {
    throw new FunctionFailure(errorType);
  };

const reading = { wholeCharacters: 100_000, shownCharacters: 1_000, fallbackQuery: 'How deep?' };

const fixture = (name: string) =>
  readFile(new URL(`../../packages/documents/fixtures/${name}`, import.meta.url));

const asked = (bytes: Uint8Array, extension: string, more: object = {}) => ({
  source: { bytes: async () => new Uint8Array(bytes) },
  extension,
  reading,
  signal: new AbortController().signal,
  ...more,
});

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

async function kept(prefix = 'conversions/'): Promise<string[]> {
  const keys: string[] = [];
  for await (const page of files.list(prefix)) keys.push(...page.map(({ key }) => key));
  return keys;
}

test.each(['office.docx', 'office.pdf', 'office.xlsx', 'pandoc.epub'])(
  'of %s the converter reads what a thread reads, and nothing of it stays in the bucket',
  async (name) => {
    const document = asked(await fixture(name), name.slice(name.indexOf('.')));
    const [there, here] = [await byConverter()(document), await readInThread(document)];
    expect(Buffer.from(there.packed).equals(Buffer.from(here.packed))).toBe(true);
    expect({ ...there, packed: undefined }).toEqual({ ...here, packed: undefined });
    expect(await kept()).toEqual([]);
    expect(timers).toEqual([]);
  },
);

test('a document that is already in the bucket is not uploaded again, and stays there', async () => {
  await files.put('uploads/one', await fixture('office.docx'), 'application/octet-stream');
  const source = { key: 'uploads/one', bytes: () => Promise.reject(new Error('not needed')) };
  const { shown } = await byConverter()(asked(new Uint8Array(), '.docx', { source }));
  expect(shown.isWhole).toBe(true);
  expect(await kept('uploads/one')).toEqual(['uploads/one']);
});

test('a charset that its sender names is used', async () => {
  const document = asked(Buffer.from('Gew\xe4sser', 'latin1'), '.txt', { charset: 'iso-8859-1' });
  expect((await byConverter()(document)).shown.text).toContain('Gewässer');
});

describe('what is wrong with a document is said in the same words', () => {
  test.each([
    ['an encrypted file', '.pdf', () => fixture('encrypted.pdf')],
    ['a broken file', '.docx', async () => Buffer.from('PK\x03\x04 but nothing else')],
    ['an empty file', '.txt', async () => Buffer.alloc(0)],
    ['an ending that cannot be read', '.exe', async () => Buffer.from('MZ')],
  ])('%s', async (_, extension, load) => {
    const document = asked(await load(), extension);
    const there = await failureOf(byConverter()(document));
    const here = await failureOf(readInThread(document));
    expect(here).toBeInstanceOf(DocumentError);
    expect(there).toBeInstanceOf(DocumentError);
    const { code, message } = here as DocumentError;
    expect(there).toMatchObject({ code, message });
    expect(await kept()).toEqual([]);
  });

  test.each([
    ['Sandbox.Timedout', 'timeout', 'The file could not be converted within 40 seconds.'],
    ['Runtime.OutOfMemory', 'too_large', 'The .pdf file needs more memory than a conversion may use.'],
  ])('a function that ends by %s', async (errorType, code, message) => {
    const document = asked(await fixture('office.pdf'), '.pdf');
    const error = await failureOf(byConverter({ invoke: failing(errorType) })(document));
    expect(error).toMatchObject({ name: 'DocumentError', code, message });
    expect(await kept()).toEqual([]);
  });
});

test.each(['AccessDenied', 'Unhandled', 'Runtime.ExitError'])(
  'a converter that fails by %s is a failure of AWS and not of the document',
  async (errorType) => {
    const document = asked(await fixture('office.pdf'), '.pdf');
    const error = await failureOf(byConverter({ invoke: failing(errorType) })(document));
    expect(isAwsTrouble(error)).toBe(true);
    expect(await kept()).toEqual([]);
  },
);

describe('a converter of another release', () => {
  const call = async (answer: unknown, shown = '{}') =>
    failureOf(
      byConverter({
        invoke: async (_, given) => {
          const { id } = given as ConversionCall;
          await files.put(`conversions/${id}/packed`, 'packed', 'text/plain');
          await files.put(`conversions/${id}/shown.json`, shown, 'text/plain');
          return answer;
        },
      })(asked(await fixture('office.pdf'), '.pdf')),
    );

  test.each([null, 'text', { code: 'new', message: 'arn:aws:lambda' }, { code: 'broken' }, { pages: 'two' }])(
    'that answers %j has failed',
    async (answer) => {
      expect(isAwsTrouble(await call(answer))).toBe(true);
      expect(await kept()).toEqual([]);
    },
  );

  test.each(['null', '{', '{"text":1}'])('that shows %s has failed', async (shown) => {
    expect(isAwsTrouble(await call({}, shown))).toBe(true);
    expect(await kept()).toEqual([]);
  });
});

test('a bucket that fails the converter fails its call', async () => {
  const broken = { ...files, getBytes: () => Promise.reject(new Error('no bucket')) };
  const call = { id: 'c', key: 'uploads/one', extension: '.docx', reading };
  await expect(convert(call, broken)).rejects.toThrow('no bucket');
});

describe('a caller who goes', () => {
  /** A converter that works until it is told to stop: its document never arrives. */
  function endless() {
    const began = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const hanging: Files = {
      ...files,
      getBytes: (_, { signal } = {}) =>
        new Promise((__, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason));
          began.resolve();
        }),
    };
    const call: InvokeFunction = (_, given, { signal }) => {
      convert(given, hanging).then(ended.resolve, ended.reject);
      return new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    return { invoke: call, began: began.promise, ended: ended.promise };
  }

  test('gets the abort at once, and the converter stops at its next check', async () => {
    const { invoke: call, began, ended } = endless();
    const gone = new AbortController();
    const document = asked(await fixture('office.pdf'), '.pdf', { signal: gone.signal });
    const reading = failureOf(byConverter({ invoke: call })(document));
    await began;
    gone.abort(new Error('The client has gone.'));
    expect(await reading).toEqual(new Error('The client has gone.'));
    expect(timers).toHaveLength(1);
    timers.shift()?.();
    expect(await ended).toMatchObject({ code: 'timeout' });
    expect(timers).toEqual([]);
  });

  test('leaves nothing in the bucket, also if the converter puts what it read there afterwards', async () => {
    const gone = new AbortController();
    const left = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<unknown>();
    const call: InvokeFunction = (_, given, { signal }) => {
      const late: Files = {
        ...files,
        async put(...object) {
          gone.abort(new Error('gone'));
          await left.promise;
          await files.put(...object);
        },
      };
      convert(given, late).then(ended.resolve, ended.reject);
      return new Promise((__, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    };
    const document = asked(await fixture('office.pdf'), '.pdf', { signal: gone.signal });
    expect(await failureOf(byConverter({ invoke: call })(document))).toEqual(new Error('gone'));
    left.resolve();
    await ended.promise;
    expect(await kept()).toEqual([]);
  });

  test('a converter whose caller still waits works on after its check', async () => {
    const { invoke: call, began } = endless();
    const gone = new AbortController();
    const document = asked(await fixture('office.pdf'), '.pdf', { signal: gone.signal });
    const reading = failureOf(byConverter({ invoke: call })(document));
    await began;
    timers.shift()?.();
    await eventually(() => timers.length).toBe(1);
    gone.abort(new Error('gone'));
    await reading;
    timers.shift()?.();
  });
});
