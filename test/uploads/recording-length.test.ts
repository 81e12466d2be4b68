import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createFiles, localBucket, localCredentials, localRegion } from '@errand/platform';
import { headOnly, readHead, recordingSeconds, secondsToReserve } from '@errand/text';
import { guardedFetch } from '@errand/web';
import { beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { wav } from '../support/wav.ts';
import { endpointsOf } from './support.ts';

const recording = wav(2_000);

describe('of an uploaded recording', () => {
  let service: TestService;
  let files: ReturnType<typeof createFiles>;
  useServiceAlone((started) => ({ service } = started));
  beforeAll(async () => {
    const { s3 } = await endpointsOf(service);
    files = createFiles({
      region: localRegion,
      credentials: localCredentials,
      endpoints: { s3 },
      bucket: localBucket,
    } as Parameters<typeof createFiles>[0]);
    await files.put('uploads/a.wav', recording, 'audio/wav');
  });

  const read = async (offset: number, length: number) =>
    (await files.readRange('uploads/a.wav', { offset, length })) ?? new Uint8Array();

  test('the length is read from parts of the object', async () => {
    const length = await recordingSeconds({ bytes: recording.length, read }, '.wav');
    expect(length).toEqual({ seconds: 2_000, exact: true });
    expect(secondsToReserve(length)).toBe(2_001);
  });

  test("a range is cut at the object's end, empty past the end, and undefined without an object", async () => {
    expect(Buffer.from(await read(10, 20))).toEqual(recording.subarray(10, 30));
    expect(await read(recording.length - 5, 20)).toHaveLength(5);
    expect(await read(recording.length, 20)).toHaveLength(0);
    expect(await files.readRange('uploads/none', { offset: 0, length: 1 })).toBeUndefined();
  });
});

test('a hosted recording is fetched once, for its length and for its transcription', async () => {
  let fetches = 0;
  const server = createServer((_, response) => {
    fetches++;
    response.end(recording);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const response = await guardedFetch({ allowedHosts: new Set([host]) }, { url: `http://${host}/a.wav` });
    const { head, body } = await readHead(Readable.from(response.body));
    expect(await recordingSeconds(headOnly(head, recording.length), '.wav')).toEqual({
      seconds: 2_000,
      exact: true,
    });
    expect(await buffer(body)).toEqual(recording);
    expect(fetches).toBe(1);
  } finally {
    server.close();
  }
});
