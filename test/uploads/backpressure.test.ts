import { expect, test, vi } from 'vitest';
import { wrapFiles } from '../support/files.ts';
import { startTestService } from '../support/service.ts';
import { inProcess } from './in-process.ts';
import { openBucket } from './support.ts';

const chunkBytes = 500_000;
const chunks = 80;
const partBytes = 5 * 1024 * 1024;

test('a form is taken no faster than the bucket takes its parts: two of them are held, however large the file', async () => {
  const service = await startTestService();
  const bucket = await openBucket(service);
  try {
    const parts = await inProcess(service, { provider: 'http://127.0.0.1:1/v1' });
    const gate = Promise.withResolvers<void>();
    let sent = 0;
    wrapFiles(parts.deps.files, async ({ method }, call) => {
      if (method === 'send' && ++sent === 3) await gate.promise;
      return call();
    });
    let taken = 0;
    async function* body() {
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="question"\r\n\r\nWhat?\r\n');
      yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n');
      for (let i = 0; i < chunks; i++) {
        taken += chunkBytes;
        yield Buffer.alloc(chunkBytes);
      }
      yield Buffer.from('\r\n--b--\r\n');
    }
    const answer = parts.sendStream(body(), 'multipart/form-data; boundary=b');
    await vi.waitFor(() => expect(sent).toBe(3), 60_000);
    let before = -1;
    await vi.waitFor(() => {
      const still = taken === before;
      before = taken;
      expect(still).toBe(true);
    }, 60_000);
    expect(taken).toBeLessThan(4 * partBytes + 10 * chunkBytes);
    gate.resolve();
    expect(await answer).toMatchObject({ status: 202 });
    expect(taken).toBe(chunks * chunkBytes);
  } finally {
    bucket.close();
    await service.stop();
  }
});
