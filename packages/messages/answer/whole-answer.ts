import type { WholeCompletion } from '@errand/chat';
import type { Asked, Block } from '../wire.ts';
import type { Emit } from './blocks.ts';
import { messageObject, usageOf } from './message.ts';
import { type Choice, createAnswer } from './pieces.ts';
import { stopOf } from './stream-answer.ts';

/** The answer of a chat completion in one piece, as a message: what its stream would have told. */
export function wholeAnswer(asked: Asked, { parsed, tokens, impact }: WholeCompletion): Buffer<ArrayBuffer> {
  const choice = (parsed.choices[0] ?? {}) as Choice;
  const { content, emit } = collectBlocks();
  const answer = createAnswer(asked, emit);
  answer.add(choice);
  answer.close();
  const stop = stopOf(asked, choice, answer.called());
  const message = messageObject(asked, { content, stop, usage: usageOf(tokens), impact });
  return Buffer.from(JSON.stringify(message));
}

function collectBlocks(): { content: Block[]; emit: Emit } {
  const content: Block[] = [];
  let json = '';
  return {
    content,
    emit({ type, content_block, delta }) {
      if (type === 'content_block_start') {
        content.push({ ...(content_block as Block) });
        json = '';
      }
      const block = content.at(-1)!;
      if (type === 'content_block_delta') json += add(block, delta as Block);
      if (type === 'content_block_stop' && block.type === 'tool_use') block.input = inputOf(json);
    },
  };
}

/** Adds a delta to its block. Returns JSON of a call's input, which is read once it is whole. */
function add(block: Block, { partial_json = '', type: _, ...fields }: Block): string {
  for (const [name, text] of Object.entries(fields)) block[name] = `${block[name]}${text}`;
  return partial_json as string;
}

/** The protocol has objects alone. What a model wrote in place of one is shown as text. */
function inputOf(json: string): object {
  if (json === '') return {};
  try {
    const input: unknown = JSON.parse(json);
    if (typeof input === 'object' && input !== null && !Array.isArray(input)) return input;
  } catch {
    // It is no JSON.
  }
  return { INVALID_JSON: json };
}
