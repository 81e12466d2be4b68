import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestBucket, type TestBucket } from '../../../test/support/bucket.ts';
import { copyNamed } from './copy-named.ts';
import { createFiles, type Files } from './files.ts';
import { localCredentials, localRegion } from './local.ts';

let bucket: TestBucket;
let files: Files;
beforeAll(async () => {
  bucket = await startTestBucket();
  files = bucket.files;
});
beforeEach(() => files.deletePrefix(''));
afterAll(() => bucket.close());

describe('a copy in the bucket', () => {
  test('has the bytes and the type, and stays when its source is deleted', async () => {
    await files.put('events/a/one', 'hello', 'text/markdown');
    expect(await files.copy('events/a/one', 'events/b/two')).toBe(true);
    await files.deletePrefix('events/a/');
    const copied = await files.open('events/b/two');
    expect(copied).toMatchObject({ bytes: 5, contentType: 'text/markdown' });
    expect(await files.getText('events/b/two')).toBe('hello');
  });

  test('is not made of what is gone', async () => {
    expect(await files.copy('events/a/none', 'events/b/none')).toBe(false);
    expect(await bucket.keys()).toEqual([]);
  });

  test.each(['a b', 'a+b', 'a%20b', 'ü 😀', 'a/../b', "?x=1&y#'()*!"])(
    'of the key %s is of no other',
    async (key) => {
      await files.put(key, 'right', 'text/plain');
      for (const other of [encodeURIComponent(key), decodeURIComponent(key), key.replaceAll('+', ' ')])
        if (other !== key) await files.put(other, 'wrong', 'text/plain');
      expect(await files.copy(key, 'copy')).toBe(true);
      expect(await files.getText('copy')).toBe('right');
    },
  );

  test('is not asked for once its caller has given up', async () => {
    await files.put('one', 'x', 'text/plain');
    await expect(files.copy('one', 'two', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(await bucket.keys()).toEqual(['one']);
  });

  test('that the bucket refuses for another reason is an error', async () => {
    await expect(files.copy('one', 'one')).rejects.toMatchObject({ name: 'InvalidRequest' });
  });
});

test('a copy that fails after S3 has begun to answer 200 is made again', async () => {
  const answers = [
    '<Error><Code>InternalError</Code><Message>We encountered an internal error.</Message></Error>',
    '<CopyObjectResult><ETag>"tag"</ETag></CopyObjectResult>',
  ];
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers['x-amz-copy-source']}`);
    response.setHeader('content-type', 'application/xml').end(answers[asked.length - 1]);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const settings = { region: localRegion, credentials: localCredentials, bucket: 'files' };
  const broken = createFiles({ ...settings, endpoints: { s3: `http://127.0.0.1:${port}` } } as never);
  expect(await broken.copy('a b', 'c')).toBe(true);
  expect(asked).toEqual(['PUT files/a%20b', 'PUT files/a%20b']);
  server.closeAllConnections();
  await once(server.close(), 'close');
});

describe('a list', () => {
  test('has the first keys of the prefix, up to its limit', async () => {
    for (const key of ['a/1', 'a/2', 'a/3', 'b/1']) await files.put(key, 'x', 'text/plain');
    const listed = async (limit?: number) => {
      const keys: string[] = [];
      for await (const page of files.list('a/', { limit })) keys.push(...page.map(({ key }) => key));
      return keys;
    };
    expect(await listed()).toEqual(['a/1', 'a/2', 'a/3']);
    expect(await listed(2)).toEqual(['a/1', 'a/2']);
    expect(await listed(3)).toEqual(['a/1', 'a/2', 'a/3']);
    expect(await listed(0)).toEqual([]);
  });
});

describe('copies of many names', () => {
  const names = Array.from({ length: 40 }, (_, i) => `n${String(i).padStart(2, '0')}`);
  const keysOf = (name: string) => ({ from: `from/${name}`, to: `to/${name}` });
  const never = new AbortController().signal;
  /** The bucket's own copies, with how many are under way. `onStart` may fail one. */
  const watched = (onStart: (from: string) => void = () => undefined) => {
    const seen = { underWay: 0, most: 0, started: 0 };
    const copy: Files['copy'] = async (from, to, options) => {
      seen.started++;
      seen.most = Math.max(seen.most, ++seen.underWay);
      try {
        onStart(from);
        return await files.copy(from, to, options);
      } finally {
        seen.underWay--;
      }
    };
    return { seen, copy };
  };
  const putAll = () => Promise.all(names.map((name) => files.put(`from/${name}`, name, 'text/plain')));
  const copied = async () => (await bucket.keys()).filter((key) => key.startsWith('to/'));

  test('are made once each, 16 at a time, and tell of what is gone', async () => {
    await putAll();
    await files.delete('from/n07');
    const { copy, seen } = watched();
    expect(await copyNamed({ copy }, [...names, ...names], keysOf, never)).toEqual(['n07']);
    expect(seen).toEqual({ underWay: 0, most: 16, started: 40 });
    expect(await copied()).toEqual(names.filter((name) => name !== 'n07').map((name) => `to/${name}`));
  });

  test('are all over when one has failed, and no more are begun', async () => {
    await putAll();
    const { copy, seen } = watched((from) => {
      if (from === 'from/n03') throw new Error('the bucket is down');
    });
    await expect(copyNamed({ copy }, names, keysOf, never)).rejects.toThrow('the bucket is down');
    expect(seen).toMatchObject({ underWay: 0, started: 16 });
    expect(await copied()).toHaveLength(15);
  });

  test('are all over when the caller gives up, with the reason of the caller', async () => {
    await putAll();
    const caller = new AbortController();
    const { copy, seen } = watched((from) => {
      if (from === 'from/n15') caller.abort(new Error('gone home'));
    });
    await expect(copyNamed({ copy }, names, keysOf, caller.signal)).rejects.toThrow('gone home');
    expect(seen).toMatchObject({ underWay: 0, started: 16 });
  });
});
