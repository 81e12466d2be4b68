import { argumentsOf, callPieces, type Delta, textPieces } from '@errand/chat';
import { makeMark } from '../thinking/mark.ts';
import type { Asked } from '../wire.ts';
import { type Blocks, createBlocks, type Emit } from './blocks.ts';

/** What is read of a choice of a chat completion. */
export interface Choice {
  index?: unknown;
  delta?: unknown;
  message?: unknown;
  finish_reason?: unknown;
  /** The sequence that ended the answer, as vLLM says it. */
  stop_reason?: unknown;
}

export interface Answer extends Pick<Blocks, 'called' | 'waiting' | 'held' | 'close'> {
  /** Adds a choice of a chat completion: a piece of it, or all. */
  add(choice: Choice): void;
}

/** Tells by `emit` of what a model writes. */
export function createAnswer({ request, tag }: Asked, emit: Emit): Answer {
  let field = '';
  const blocks = createBlocks(emit, () => makeMark(tag, 'm', field));
  const hidesThinking = request.thinking?.type === 'disabled';
  return {
    called: blocks.called,
    waiting: blocks.waiting,
    held: blocks.held,
    close: blocks.close,
    add({ delta, message }) {
      const said = (delta ?? message ?? {}) as Delta;
      if (!said.reasoning_content && said.reasoning) field = 'reasoning';
      for (const piece of textPieces(said))
        if (piece.type !== 'reasoning_text' || !hidesThinking) blocks.text(piece);
      for (const piece of callPieces(said)) {
        const called = piece.function ?? {};
        const name = typeof called.name === 'string' ? called.name : '';
        blocks.call(piece, name, argumentsOf(called.arguments));
      }
    },
  };
}
