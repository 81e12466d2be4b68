import { newId } from '@errand/platform';
import type { CalledName } from '../request/namespaces.ts';
import { argumentsOf, type CallPiece } from './delta.ts';
import type { CustomCallItem, Emit, FunctionCallItem, ItemStatus } from './items.ts';

type CallItem = FunctionCallItem | CustomCallItem;
export type BeginCall = (type: CallItem['type']) => { item: CallItem; index: number };

interface OpenCall {
  /** How the upstream tells this call from others. */
  position: unknown;
  id: unknown;
  item: CallItem;
  index: number;
  /** Whether callers know of it. They do once it has a name. */
  isTold: boolean;
}

/** The calls of tools, whose pieces may come in turns. */
interface CallWriter {
  write(piece: CallPiece): void;
  close(status: ItemStatus): void;
}

export function createCallWriter(
  begin: BeginCall,
  readName: (called: string) => CalledName,
  emit: Emit,
): CallWriter {
  const calls: OpenCall[] = [];
  const find = ({ index, id }: CallPiece): OpenCall | undefined => {
    const isNew = (call: OpenCall) => typeof id === 'string' && id !== '' && call.id !== id;
    const call = index === undefined ? calls.at(-1) : calls.findLast(({ position }) => position === index);
    // Some servers give every call the same index, or none.
    return call && !isNew(call) ? call : undefined;
  };
  const open = ({ index: position, id, type, custom }: CallPiece): OpenCall => {
    const { item, index } = begin(type === 'custom' || custom ? 'custom_tool_call' : 'function_call');
    item.call_id = typeof id === 'string' && id !== '' ? id : newId('call');
    const call = { position, id: id || undefined, item, index, isTold: false };
    calls.push(call);
    return call;
  };
  const tell = (call: OpenCall) => {
    const { item, index } = call;
    call.isTold = true;
    emit('response.output_item.added', { output_index: index, item: { ...item, ...emptyOf(item) } });
    if (textOf(item) !== '') emitDelta(emit, call, textOf(item));
  };
  return {
    write(piece) {
      const call = find(piece) ?? open(piece);
      const { name, text } = readPiece(piece);
      if (call.item.name === '') Object.assign(call.item, readName(name));
      append(call.item, text);
      if (!call.isTold && call.item.name !== '') tell(call);
      else if (call.isTold && text !== '') emitDelta(emit, call, text);
    },
    close(status) {
      for (const call of calls) {
        if (!call.isTold) tell(call);
        const { item, index } = call;
        const place = { item_id: item.id, output_index: index };
        item.status = status;
        if (item.type === 'custom_tool_call')
          emit('response.custom_tool_call_input.done', { ...place, input: item.input });
        else
          emit('response.function_call_arguments.done', {
            ...place,
            name: item.name,
            arguments: item.arguments,
          });
        emit('response.output_item.done', { output_index: index, item });
      }
      calls.length = 0;
    },
  };
}

const textOf = (item: CallItem): string => (item.type === 'custom_tool_call' ? item.input : item.arguments);

const emptyOf = (item: CallItem) => (item.type === 'custom_tool_call' ? { input: '' } : { arguments: '' });

function append(item: CallItem, text: string): void {
  if (item.type === 'custom_tool_call') item.input += text;
  else item.arguments += text;
}

function readPiece({ function: called, custom }: CallPiece): { name: string; text: string } {
  const name = custom?.name ?? called?.name;
  return {
    name: typeof name === 'string' ? name : '',
    text: custom ? argumentsOf(custom.input) : argumentsOf(called?.arguments),
  };
}

function emitDelta(emit: Emit, { item, index }: OpenCall, delta: string): void {
  const event =
    item.type === 'custom_tool_call' ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  emit(`${event}.delta`, { item_id: item.id, output_index: index, delta });
}
