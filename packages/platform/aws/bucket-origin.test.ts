import { expect, test } from 'vitest';
import { localTableNames } from '../tables.ts';
import { bucketOrigin } from './bucket-origin.ts';
import { createFiles } from './files.ts';
import { localCredentials } from './local.ts';

const common = { credentials: localCredentials, tables: localTableNames, queueUrl: '', webhookQueueUrl: '' };

test.each([
  ['on AWS', { region: 'eu-central-1', endpoints: {}, bucket: 'errand-production-filesbucket-abc' }],
  ['on one machine', { region: 'eu-central-1', endpoints: { s3: 'http://127.0.0.1:9000' }, bucket: 'files' }],
])('links to upload lead to the origin that browsers are allowed, %s', async (_where, settings) => {
  const link = await createFiles({ ...common, ...settings }).presignPut('uploads/a', {
    expiresInSeconds: 60,
    bytes: 1,
    contentType: 'text/plain',
  });
  expect(new URL(link).origin).toBe(bucketOrigin(settings));
});
