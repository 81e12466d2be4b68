import type { KeptMaterial } from '@errand/agent';
import type { Files } from '@errand/platform';
import { payloadPrefix } from '../item-keys.ts';

const contentType = 'application/octet-stream';

/** What a run has read lies in the bucket beside its long events, and ends with them. */
export const runMaterial = (files: Pick<Files, 'put' | 'open'>, agentId: string): KeptMaterial => ({
  keep: (name, packed) => files.put(keyOf(agentId, name), packed, contentType),
  async read(name, signal) {
    const found = await files.open(keyOf(agentId, name), { signal });
    return found && Buffer.concat(await found.body.toArray());
  },
});

const keyOf = (agentId: string, name: string): string => `${payloadPrefix(agentId)}material-${name}`;
