import { type CallPiece, createCallFinder, type TextPiece } from '@errand/chat';
import { newId } from '@errand/platform';
import { idForCaller } from '../call-id.ts';
import type { Block } from '../wire.ts';
import { createJsonEnd, type JsonEnd } from './json-end.ts';

/** Tells of a block, in the events of the protocol. */
export type Emit = (event: { type: string; [field: string]: unknown }) => void;

/** The blocks of an answer. They are told one after the other, though a model may write several calls in turns. */
export interface Blocks {
  text(piece: TextPiece): void;
  /** A piece of a call: its name and a part of its arguments, each possibly empty. */
  call(piece: CallPiece, name: string, json: string): void;
  /** Whether a call was told, or will be. */
  called(): boolean;
  /** How many blocks wait for one that is not over. */
  waiting(): number;
  /** The characters that are not told yet. */
  held(): number;
  /** Tells what is held back, and ends the last block. */
  close(): void;
}

interface Segment {
  kind: 'text' | 'thinking' | 'call';
  /** What is not told yet. */
  held: string;
  isOpen: boolean;
  id: string;
  name: string;
  /** Where a call's arguments end. */
  end: JsonEnd;
}

const kindOf = ({ type }: TextPiece): 'text' | 'thinking' =>
  type === 'reasoning_text' ? 'thinking' : 'text';

/** `signature` marks thinking. */
export function createBlocks(emit: Emit, signature: () => string): Blocks {
  /** The segment at the index is being told, those behind it wait. */
  const segments: (Segment | undefined)[] = [];
  let index = 0;
  let held = 0;
  let hasCalled = false;
  let isOver = false;
  const push = (segment: Pick<Segment, 'kind' | 'id'>): Segment => {
    const pushed = { ...segment, held: '', isOpen: false, name: '', end: createJsonEnd() };
    segments.push(pushed);
    return pushed;
  };
  const find = createCallFinder(({ id }) => {
    hasCalled = true;
    return push({ kind: 'call', id: idForCaller(typeof id === 'string' && id !== '' ? id : newId('toolu')) });
  });
  const hold = (segment: Segment, text: string) => {
    segment.held += text;
    held += text.length;
  };
  const tellDelta = (delta: Block) => emit({ type: 'content_block_delta', index, delta });
  const tell = (segment: Segment) => {
    if (!segment.isOpen) emit({ type: 'content_block_start', index, content_block: beginningOf(segment) });
    // A call has a delta, even if it has no arguments.
    const isBare = segment.kind === 'call' && !segment.isOpen;
    segment.isOpen = true;
    if (segment.held !== '' || isBare) tellDelta(deltaOf(segment));
    held -= segment.held.length;
    segment.held = '';
  };
  const end = ({ kind }: Segment) => {
    if (kind === 'thinking') tellDelta({ type: 'signature_delta', signature: signature() });
    emit({ type: 'content_block_stop', index });
    // Removing what was told from the front would cost as much as what waits, each time.
    segments[index] = undefined;
    index++;
  };
  const advance = () => {
    for (let head = segments[index]; head; head = segments[index]) {
      if (head.kind === 'call' && head.name === '' && !isOver) return;
      tell(head);
      const goesOn = index === segments.length - 1 || (head.kind === 'call' && !head.end.isReached());
      if (goesOn && !isOver) return;
      end(head);
    }
  };
  return {
    text(piece) {
      const kind = kindOf(piece);
      const last = segments.at(-1);
      const segment = last?.kind === kind ? last : push({ kind, id: '' });
      hold(segment, piece.text);
      advance();
    },
    call(piece, name, json) {
      const segment = find(piece);
      if (segment.name === '') segment.name = name;
      // What comes behind the end of the arguments is no part of them.
      hold(segment, segment.end.read(json));
      advance();
    },
    called: () => hasCalled,
    waiting: () => segments.length - index,
    held: () => held,
    close() {
      isOver = true;
      advance();
    },
  };
}

function beginningOf({ kind, id, name }: Segment): Block {
  if (kind === 'text') return { type: 'text', text: '' };
  if (kind === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { type: 'tool_use', id, name, input: {} };
}

function deltaOf({ kind, held }: Segment): Block {
  if (kind === 'text') return { type: 'text_delta', text: held };
  if (kind === 'thinking') return { type: 'thinking_delta', thinking: held };
  return { type: 'input_json_delta', partial_json: held };
}
