import { createHmac, randomBytes } from 'node:crypto';
import { isSealed, type Sealer } from '@errand/platform';

const prefix = 'whsec_';
const secretBytes = 32;

interface Sealing {
  sealer: Sealer;
}

const sealPlace = (endpointId: string): string => `webhook-secret/${endpointId}`;

/** A new secret in the form of Standard Webhooks, encrypted for its endpoint. */
export const newSecret = ({ sealer }: Sealing, endpointId: string): string =>
  sealer.seal(prefix + randomBytes(secretBytes).toString('base64'), sealPlace(endpointId));

/** The secret as its owner knows it. An earlier release stored it so. Throws `SealBroken`. */
export const openSecret = ({ sealer }: Sealing, endpointId: string, secret: string): string =>
  isSealed(secret) ? sealer.open(secret, sealPlace(endpointId)) : secret;

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
