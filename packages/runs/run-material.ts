import { type KeptMaterial, uploadMaterial } from '@errand/agent';
import type { Files } from '@errand/platform';
import { payloadPrefix } from './item-keys.ts';

const contentType = 'application/octet-stream';

/** What a run has read lies in the bucket beside its long events, and ends with them. */
export const runMaterial = (files: Pick<Files, 'put' | 'getBytes'>, agentId: string): KeptMaterial => ({
  keep: (name, packed) => files.put(keyOf(agentId, name), packed, contentType),
  read: (name, signal) => files.getBytes(keyOf(agentId, name), { signal }),
});

const keyOf = (agentId: string, name: string): string => `${payloadPrefix(agentId)}material-${name}`;

/** Deletes what was kept of a file for a run that was not accepted. */
export const dropUploadMaterial = (files: Pick<Files, 'delete'>, agentId: string): Promise<void> =>
  files.delete(keyOf(agentId, uploadMaterial));
