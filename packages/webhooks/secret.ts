import { createHmac, randomBytes } from 'node:crypto';

const prefix = 'whsec_';
const secretBytes = 32;

/** A secret in the form of Standard Webhooks. */
export const newSecret = (): string => prefix + randomBytes(secretBytes).toString('base64');

interface SignedMessage {
  id: string;
  timestampSeconds: number;
  body: string;
}

/** The three headers of Standard Webhooks, with a signature of each secret. */
export function signedHeaders(secrets: readonly string[], message: SignedMessage): Record<string, string> {
  const { id, timestampSeconds, body } = message;
  const signed = `${id}.${timestampSeconds}.${body}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret, signed)}`).join(' '),
  };
}

const sign = (secret: string, text: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(text)
    .digest('base64');
