import type { Impact, Usage } from '@errand/models';
import type { Asked, Block, MessageUsage, Stop } from '../wire.ts';

/** The answer as one object. */
export function messageObject(
  _asked: Asked,
  _fields: { content: readonly Block[]; stop: Stop; usage: object; impact?: Impact },
): Record<string, unknown> {
  throw new Error('to be written');
}

/** What was charged, in the protocol's words. `own` is what an upstream says of it beside. */
export function usageOf(_tokens: Usage, _own?: object): MessageUsage {
  throw new Error('to be written');
}
