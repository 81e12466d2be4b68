import { isObject, ownProperty } from '../../json-object.ts';
import { type CallKind, caseOf, type Item, type Role } from '../../request.ts';
import type { Report } from '../report.ts';
import { type PartType, readParts } from './read-parts.ts';
import type { Reader } from './reader.ts';

const roleParts: Record<Role, readonly PartType[]> = {
  user: ['input_text', 'input_image', 'input_json'],
  developer: ['input_text'],
  system: ['input_text'],
  assistant: ['output_text', 'refusal'],
};

const outputParts: readonly PartType[] = ['input_text', 'input_image'];

/** A call's fields by its type: its kind, and the field of what the tool is called with. */
const calls = new Map<unknown, { kind: CallKind; input: string }>([
  ['function_call', { kind: 'function', input: 'arguments' }],
  ['custom_tool_call', { kind: 'custom', input: 'input' }],
]);

const outputs = new Map<unknown, CallKind>([
  ['function_call_output', 'function'],
  ['custom_tool_call_output', 'custom'],
]);

const typeProblem = `must be message, ${[...calls.keys(), ...outputs.keys()].join(', ')}`;

/** Reads the `input` of a request: a text, or messages, calls and outputs. */
export function readInput(value: unknown, reader: Reader): Item[] {
  const { report } = reader;
  if (value === undefined) report('input', 'is required');
  else if (typeof value === 'string') return caseOf(value);
  else if (!Array.isArray(value) || value.length === 0)
    report('input', 'must be a string or a list of messages and tool calls');
  else {
    const open = new Set<string>();
    return value.flatMap((item, index) => readItem(item, { at: `input[${index}]`, open }, reader) ?? []);
  }
  return [];
}

/** `open` has the calls so far, by kind and id. */
interface Place {
  at: string;
  open: Set<string>;
}

const callKey = (kind: CallKind, id: string): string => `${kind} ${id}`;

function readItem(item: unknown, place: Place, reader: Reader): Item | undefined {
  const { at } = place;
  const { report } = reader;
  if (!isObject(item)) return report(at, 'must be an object');
  const type = ownProperty(item, 'type') ?? 'message';
  if (type === 'message') return readMessage(item, at, reader);
  const call = calls.get(type);
  if (call) return readCall(item, call, place, report);
  const kind = outputs.get(type);
  return kind ? readOutput(item, kind, place, reader) : report(`${at}.type`, typeProblem);
}

function readMessage(item: object, at: string, reader: Reader): Item | undefined {
  const role = ownProperty(item, 'role');
  const allowed = Object.entries(roleParts).find(([known]) => known === role);
  if (!allowed) return reader.report(`${at}.role`, `must be ${Object.keys(roleParts).join(', ')}`);
  const parts = readParts(ownProperty(item, 'content'), { at: `${at}.content`, allowed: allowed[1] }, reader);
  return { type: 'message', role: allowed[0] as Role, parts };
}

function readCall(
  item: object,
  { kind, input: inputField }: { kind: CallKind; input: string },
  { at, open }: Place,
  report: Report,
): Item | undefined {
  const [id, name, input] = ['call_id', 'name', inputField].map((field) => readText(item, at, field, report));
  if (id === undefined || name === undefined || input === undefined) return undefined;
  open.add(callKey(kind, id));
  return { type: 'call', kind, id, name, input };
}

function readOutput(item: object, kind: CallKind, { at, open }: Place, reader: Reader): Item | undefined {
  const { report } = reader;
  const id = readText(item, at, 'call_id', report);
  const parts = readParts(ownProperty(item, 'output'), { at: `${at}.output`, allowed: outputParts }, reader);
  if (id === undefined) return undefined;
  if (!open.has(callKey(kind, id))) return report(`${at}.call_id`, 'names no call before it');
  return { type: 'output', kind, id, parts };
}

function readText(item: object, at: string, field: string, report: Report): string | undefined {
  const value = ownProperty(item, field);
  return typeof value === 'string' ? value : report(`${at}.${field}`, 'must be a string');
}
