import { filePrefixes, sha256Hex } from '@errand/platform';

const eventDigits = 10;

/** Keys of the items in the table `Runs`. Event ids are padded, so that sorting them as text sorts them by number. */
export const itemKeys = {
  run: (agentId: string) => ({ pk: `RUN#${agentId}`, sk: 'RUN' }),
  input: (agentId: string) => ({ pk: `RUN#${agentId}`, sk: 'INPUT' }),
  state: (agentId: string) => ({ pk: `RUN#${agentId}`, sk: 'STATE' }),
  event: (agentId: string, id: number) => ({
    pk: `RUN#${agentId}`,
    sk: `EVENT#${String(id).padStart(eventDigits, '0')}`,
  }),
  listing: (keyId: string, createdAt: string, agentId: string) => ({
    pk: `KEY#${keyId}`,
    sk: `${createdAt}#${agentId}`,
  }),
  idempotency: (keyId: string, idempotencyKey: string) => ({
    pk: `IDEMPOTENCY#${keyId}#${sha256Hex(idempotencyKey)}`,
    sk: 'RUN',
  }),
};

/** Texts of a run that are too long for its items lie under this prefix of the bucket. */
export const payloadPrefix = (agentId: string): string => `${filePrefixes.events}${agentId}/`;
