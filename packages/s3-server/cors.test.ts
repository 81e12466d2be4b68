import { PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Bucket, startTestStore, type TestStore } from './test-support/start-test-store.ts';

let store: TestStore;
let url: string;
beforeAll(async () => {
  store = await startTestStore();
  url = await getSignedUrl(store.s3, new PutObjectCommand({ Bucket, Key: 'from a page' }), { expiresIn: 60 });
});
afterAll(() => store[Symbol.asyncDispose]());

const origin = 'https://page.example';

const preflight = (method: string) =>
  fetch(url, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'content-type',
    },
  });

test('a page may put with its link, as into the deployed bucket', async () => {
  const allowed = await preflight('PUT');
  expect(allowed.status).toBe(200);
  expect(allowed.headers.get('Access-Control-Allow-Origin')).toBe('*');
  expect(allowed.headers.get('Access-Control-Allow-Methods')).toContain('PUT');
  expect(allowed.headers.get('Access-Control-Allow-Headers')).toBe('content-type');
  const put = await fetch(url, { method: 'PUT', headers: { Origin: origin }, body: 'hello' });
  expect(put.status).toBe(200);
  expect(put.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('a page may read why it was refused', async () => {
  const refused = await fetch(`${url}0`, { method: 'PUT', headers: { Origin: origin }, body: 'hello' });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*');
});

test('a page may do nothing else, and other clients hear nothing of pages', async () => {
  expect((await preflight('DELETE')).status).toBe(403);
  const put = await fetch(url, { method: 'PUT', body: 'hello' });
  expect(put.headers.get('Access-Control-Allow-Origin')).toBeNull();
});
