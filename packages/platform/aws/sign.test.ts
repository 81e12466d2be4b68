import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { HttpRequest } from '@smithy/types';
import { assert, asyncProperty, date, option, record, string, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { createJsonSigner } from './sign.ts';

/** What the library wants of a hash. */
class Sha256 {
  private readonly state;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.state =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : Buffer.from(secret as Uint8Array));
  }

  update(data: Uint8Array): void {
    this.state.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.state.digest();
  }

  reset(): void {}
}

const toRequest = (body: string | Uint8Array, port?: number): HttpRequest => ({
  method: 'POST',
  protocol: 'https:',
  hostname: 'dynamodb.eu-west-1.amazonaws.com',
  ...(port && { port }),
  path: '/',
  query: {},
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.PutItem' },
  body,
});

const times = { min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true };

test('signs as the library does', async () => {
  const identity = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'first secret', sessionToken: 'a token' };
  let current: typeof identity | Omit<typeof identity, 'sessionToken'> = identity;
  const signer = createJsonSigner(async () => current);
  const cases = record({
    body: string({ unit: 'binary' }),
    bytes: option(uint8Array()),
    at: date(times),
    secretAccessKey: string({ minLength: 1, maxLength: 2 }),
    sessionToken: option(
      string({ minLength: 1, unit: 'grapheme-ascii' }).map((text) => text.replaceAll(' ', '_')),
    ),
    port: option(record({ port: date(times).map((value) => 1 + (value.getTime() % 65_535)) })),
  });
  await assert(
    asyncProperty(cases, async ({ body, bytes, at, secretAccessKey, sessionToken, port }) => {
      current = {
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey,
        ...(sessionToken !== null && { sessionToken }),
      };
      const scope = { signingRegion: 'eu-west-1', signingService: 'dynamodb', signingDate: at };
      const ours = await signer.sign(toRequest(bytes ?? body, port?.port), scope);
      const library = new SignatureV4({
        service: 'dynamodb',
        region: 'eu-west-1',
        credentials: current,
        sha256: Sha256,
        applyChecksum: false,
      });
      const theirs = await library.sign(ours, scope);
      expect(ours.headers.authorization).toBe(theirs.headers.authorization);
    }),
  );
});
