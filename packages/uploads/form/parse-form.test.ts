import { PassThrough } from 'node:stream';
import { limits } from '@errand/platform';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type FormFile, parseForm } from './parse-form.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

const head =
  '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n';

/** A form whose sender has got as far as the first bytes of the file. */
async function startForm() {
  const source = new PassThrough();
  const arrived = Promise.withResolvers<void>();
  const read: string[] = [];
  const form = parseForm(source, 'multipart/form-data; boundary=edge', {
    field() {},
    async file({ stream }: FormFile) {
      for await (const bytes of stream) {
        read.push(Buffer.from(bytes).toString());
        arrived.resolve();
      }
    },
  });
  form.catch(() => {});
  source.write(`${head}some of it`);
  await arrived.promise;
  return { source, form, read };
}

const almost = limits.uploadStallMilliseconds - 1;

test('a sender that sends nothing for as long as is allowed is refused', async () => {
  const { form, source } = await startForm();
  vi.advanceTimersByTime(limits.uploadStallMilliseconds);
  await expect(form).rejects.toMatchObject({
    code: 'invalid_request',
    details: { issues: [{ problem: expect.stringContaining('is incomplete') }] },
  });
  expect(source.destroyed).toBe(false);
});

test('a sender that is slow but goes on sending is not refused', async () => {
  const { form, source, read } = await startForm();
  for (let i = 0; i < 3; i++) {
    vi.advanceTimersByTime(almost);
    source.write(' and more');
    await new Promise(setImmediate);
  }
  vi.advanceTimersByTime(almost);
  source.end('\r\n--edge--\r\n');
  await form;
  expect(read.join('')).toBe('some of it and more and more and more');
  expect(vi.getTimerCount()).toBe(0);
});
