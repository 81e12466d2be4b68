import { argumentsOf, type CallPiece, createCallFinder } from '@errand/chat';
import { newId } from '@errand/platform';
import type { CalledTool } from '../request/namespaces.ts';
import { createInputReader, type InputReader } from './input-reader.ts';
import type { CustomCallItem, Emit, FunctionCallItem, ItemStatus } from './items.ts';

type CallItem = FunctionCallItem | CustomCallItem;
export type BeginCall = (type: CallItem['type']) => { item: CallItem; index: number };

interface OpenCall {
  callId: string;
  isCustom: boolean;
  /** What came before its name. */
  early: string;
  /** Callers know of a call once it has a name. */
  told?: ToldCall;
}

interface ToldCall {
  item: CallItem;
  index: number;
  /** Of a function that stands for a custom tool. */
  reader: InputReader | undefined;
}

/** The calls of tools, whose pieces may come in turns. */
interface CallWriter {
  write(piece: CallPiece): void;
  close(status: ItemStatus): void;
}

export function createCallWriter(
  begin: BeginCall,
  readTool: (name: string) => CalledTool,
  emit: Emit,
): CallWriter {
  const calls: OpenCall[] = [];
  const find = createCallFinder(({ id, type, custom }: CallPiece): OpenCall => {
    const callId = typeof id === 'string' && id !== '' ? id : newId('call');
    const call = { callId, isCustom: type === 'custom' || Boolean(custom), early: '' };
    calls.push(call);
    return call;
  });
  const add = (told: ToldCall, text: string) => {
    if (text === '') return;
    append(told.item, text);
    emitDelta(emit, told, text);
  };
  const write = (told: ToldCall, text: string) => add(told, told.reader ? told.reader.read(text) : text);
  const tell = (call: OpenCall, name: string): ToldCall => {
    const { called, isCustom } = readTool(name);
    const { item, index } = begin(call.isCustom || isCustom ? 'custom_tool_call' : 'function_call');
    Object.assign(item, { call_id: call.callId }, called);
    emit('response.output_item.added', { output_index: index, item: { ...item } });
    call.told = { item, index, reader: isCustom && !call.isCustom ? createInputReader() : undefined };
    write(call.told, call.early);
    return call.told;
  };
  return {
    write(piece) {
      const call = find(piece);
      const { name, text } = readPiece(piece);
      if (call.told) return write(call.told, text);
      call.early += text;
      if (name !== '') tell(call, name);
    },
    close(status) {
      for (const call of calls) {
        const told = call.told ?? tell(call, '');
        add(told, told.reader?.end() ?? '');
        const { item, index } = told;
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

function emitDelta(emit: Emit, { item, index }: ToldCall, delta: string): void {
  const event =
    item.type === 'custom_tool_call' ? 'response.custom_tool_call_input' : 'response.function_call_arguments';
  emit(`${event}.delta`, { item_id: item.id, output_index: index, delta });
}
