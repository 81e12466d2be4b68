import { annotationsOf, callPieces, type Delta, textPieces } from '@errand/chat';
import { readCalledTools } from '../request/namespaces.ts';
import { createCallWriter } from './call-items.ts';
import { createItemList } from './item-list.ts';
import type { Emit, ItemStatus, OutputItem } from './items.ts';
import type { Frame } from './response-object.ts';
import { createTextWriter } from './text-items.ts';

/** What is read of a choice of a chat completion. */
export interface Choice {
  index?: unknown;
  delta?: unknown;
  message?: unknown;
  logprobs?: unknown;
  finish_reason?: unknown;
}

/** What a model answers, as the output of a response. */
interface Output {
  items: readonly OutputItem[];
  /** Adds a choice of a chat completion: a piece of it, or all. */
  add(choice: Choice): void;
  /** Ends what is still being written. */
  close(status: ItemStatus): void;
}

/** Tells by `emit` of everything that is added. */
export function createOutput({ key, request }: Pick<Frame, 'key' | 'request'>, emit: Emit): Output {
  const { items, beginText, beginCall } = createItemList(key);
  const text = createTextWriter(beginText, emit);
  const calls = createCallWriter(beginCall, readCalledTools(request), emit);
  return {
    items,
    add({ delta, message, logprobs }) {
      const said = (delta ?? message ?? {}) as Delta;
      const tokens = (logprobs as { content?: unknown } | null | undefined)?.content;
      for (const piece of textPieces(said))
        text.write(piece, piece.type === 'output_text' && Array.isArray(tokens) ? tokens : []);
      text.cite(annotationsOf(said));
      const pieces = callPieces(said);
      if (pieces.length > 0) text.close('completed');
      for (const piece of pieces) calls.write(piece);
    },
    close(ending) {
      text.close(ending);
      calls.close(ending);
    },
  };
}
