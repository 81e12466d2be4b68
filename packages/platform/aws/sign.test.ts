import type { HttpRequest } from '@smithy/types';
import { assert, asyncProperty, date, integer, option, record, string, uint8Array } from 'fast-check';
import { expect, test } from 'vitest';
import { expectedAuthorization } from '../../../test/support/aws-signature.ts';
import { createJsonSigner } from './sign.ts';

const toRequest = (body: string | Uint8Array, port: number | null): HttpRequest => ({
  method: 'POST',
  protocol: 'https:',
  hostname: 'dynamodb.eu-west-1.amazonaws.com',
  ...(port && { port }),
  path: '/',
  query: {},
  headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'DynamoDB_20120810.PutItem' },
  body,
});

const cases = record({
  text: string({ unit: 'binary' }),
  bytes: option(uint8Array()),
  at: date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true }),
  secretAccessKey: string({ minLength: 1, maxLength: 2 }),
  sessionToken: option(string({ minLength: 1, maxLength: 9 }).map((token) => token.replaceAll(' ', '_'))),
  port: option(integer({ min: 1, max: 65_535 })),
  elsewhere: option(record({ signingRegion: string(), signingService: string() })),
});

test('signs as the library does', async () => {
  let credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: '' };
  const own = { region: 'eu-west-1', service: 'dynamodb' };
  const signer = createJsonSigner({
    credentials: async () => credentials,
    region: async () => own.region,
    service: own.service,
  });
  await assert(
    asyncProperty(cases, async ({ text, bytes, at, secretAccessKey, sessionToken, port, elsewhere }) => {
      credentials = {
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey,
        ...(sessionToken !== null && { sessionToken }),
      };
      const signed = await signer.sign(toRequest(bytes ?? text, port), { signingDate: at, ...elsewhere });
      const { signingRegion: region = own.region, signingService: service = own.service } = elsewhere ?? {};
      expect(signed.headers.authorization).toBe(
        await expectedAuthorization(signed, { region, service, credentials }),
      );
      expect(signed.headers['x-amz-security-token']).toBe(sessionToken ?? undefined);
      expect(signed.headers['x-amz-date']).toBe(`${at.toISOString().replace(/[:-]|\..*/g, '')}Z`);
    }),
  );
});
