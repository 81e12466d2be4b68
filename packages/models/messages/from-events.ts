import { isFields, limits } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { textIn } from './fields.ts';
import { thinkingBlocks } from './from-message.ts';
import { addMessageUsage, toChatUsage } from './message-usage.ts';
import { finishReasonOf } from './stop-reasons.ts';

/** Reads the events of one message. */
export interface MessageEvents {
  /**
   * The chunks of a chat completion that say what the event says, without their date. Undefined for an error, or for what is no
   * event.
   */
  read(event: Fields): readonly Fields[] | undefined;
  /** Whether the message is whole. */
  done(): boolean;
}

/** What is known of the block that is being written. */
interface OpenBlock {
  block: Fields;
  thinking: string;
  signature: string;
  /** The place of a call among the calls of the message. */
  call: number;
  hasArguments: boolean;
}

interface Reading {
  /** The id and the model, as far as the upstream names them. Undefined until the message begins. */
  head: Fields | undefined;
  usage: Fields;
  open: OpenBlock | undefined;
  calls: number;
  done: boolean;
}

export function createMessageEvents(): MessageEvents {
  const reading: Reading = {
    head: undefined,
    usage: {},
    open: undefined,
    calls: 0,
    done: false,
  };
  return {
    read(event) {
      if (typeof event.type !== 'string' || event.type === 'error') return undefined;
      const read = readers.get(event.type);
      return read?.(reading, event) ?? [];
    },
    done: () => reading.done,
  };
}

type Read = (reading: Reading, event: Fields) => readonly Fields[];

const readers: ReadonlyMap<unknown, Read> = new Map<string, Read>([
  ['message_start', startMessage],
  ['content_block_start', startBlock],
  ['content_block_delta', addToBlock],
  ['content_block_stop', stopBlock],
  ['message_delta', endMessage],
  [
    'message_stop',
    (reading) => {
      reading.done = true;
      return [];
    },
  ],
]);

const chunkOf = ({ head }: Reading, delta: Fields, beside: Fields = {}): Fields => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: null, ...(beside.choice as Fields | undefined) }],
  ...(beside.usage !== undefined && { usage: beside.usage }),
});

function addUsage(reading: Reading, usage: unknown): Fields | undefined {
  if (!isFields(usage)) return undefined;
  reading.usage = addMessageUsage(reading.usage, usage);
  return toChatUsage(reading.usage);
}

const mostNameCharacters = 256;

/** A name that each chunk repeats. A long one would make a short event a long chunk. */
const named = (field: string, name: unknown): Fields =>
  typeof name === 'string' && name.length <= mostNameCharacters ? { [field]: name } : {};

/** Some servers begin a message twice. */
function startMessage(reading: Reading, { message }: Fields): readonly Fields[] {
  if (reading.head) return [];
  const { id, model, usage } = isFields(message) ? message : {};
  reading.head = { ...named('id', id), ...named('model', model) };
  return [chunkOf(reading, { role: 'assistant', content: '' }, { usage: addUsage(reading, usage) })];
}

function startBlock(reading: Reading, { content_block: block }: Fields): readonly Fields[] {
  if (!isFields(block)) return [];
  const open = { block, thinking: '', signature: '', call: reading.calls, hasArguments: false };
  reading.open = open;
  if (block.type === 'tool_use') {
    reading.calls++;
    const call = { id: block.id, type: 'function', function: { name: block.name, arguments: '' } };
    return [callChunk(reading, open, call)];
  }
  return block.type === 'thinking'
    ? [...think(reading, open, block), ...sign(open, block)]
    : say(reading, block.type === 'text' ? block.text : '');
}

function addToBlock(reading: Reading, { delta }: Fields): readonly Fields[] {
  const { open } = reading;
  if (!isFields(delta)) return [];
  if (delta.type === 'text_delta') return say(reading, delta.text);
  if (!open) return [];
  if (delta.type === 'thinking_delta') return think(reading, open, delta);
  if (delta.type === 'signature_delta') return sign(open, delta);
  const json = textIn(delta.partial_json);
  if (delta.type !== 'input_json_delta' || json === '') return [];
  open.hasArguments = true;
  return [callChunk(reading, open, { function: { arguments: json } })];
}

function stopBlock(reading: Reading): readonly Fields[] {
  const { open } = reading;
  reading.open = undefined;
  if (open?.block.type === 'tool_use' && !open.hasArguments)
    return [callChunk(reading, open, { function: { arguments: JSON.stringify(open.block.input ?? {}) } })];
  if (!open || open.thinking.length > limits.opaqueBytes) return [];
  const { block, thinking, signature } = open;
  const thinking_blocks = thinkingBlocks({ ...block, thinking, signature });
  return thinking_blocks.length > 0 ? [chunkOf(reading, { thinking_blocks })] : [];
}

function endMessage(reading: Reading, { delta, usage }: Fields): readonly Fields[] {
  const reason = isFields(delta) ? (delta.stop_reason ?? null) : null;
  const choice = reason === null ? undefined : { finish_reason: finishReasonOf(reason) };
  return [chunkOf(reading, {}, { choice, usage: addUsage(reading, usage) })];
}

const callChunk = (reading: Reading, { call: index }: OpenBlock, call: Fields): Fields =>
  chunkOf(reading, { tool_calls: [{ index, ...call }] });

function say(reading: Reading, text: unknown): readonly Fields[] {
  const content = textIn(text);
  return content === '' ? [] : [chunkOf(reading, { content })];
}

function think(reading: Reading, open: OpenBlock, { thinking }: Fields): readonly Fields[] {
  const text = textIn(thinking);
  // What is too long to be sent back is not kept: an upstream could write without an end.
  if (open.thinking.length <= limits.opaqueBytes) open.thinking += text;
  return text === '' ? [] : [chunkOf(reading, { reasoning_content: text })];
}

function sign(open: OpenBlock, { signature }: Fields): readonly Fields[] {
  open.signature = textIn(signature) || open.signature;
  return [];
}
