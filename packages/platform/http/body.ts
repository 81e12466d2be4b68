import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from 'hono';
import * as v from 'valibot';
import { startTimer, systemClock } from '../clock.ts';
import { DomainError, fieldIssue, type Issue } from '../errors.ts';
import { limits } from '../limits.ts';
import { ownTurn } from '../own-turn.ts';
import { notList } from '../schema.ts';
import { createKeptBodies } from './kept-bodies.ts';
import { onShutdown } from './on-shutdown.ts';
import { createWholeBodies } from './whole-bodies.ts';

/**
 * Reads the body's bytes. Throws `body_too_large` as soon as they exceed the limit, `body_too_slow` if they come too slowly,
 * `store_unavailable` if their memory is needed for others, and `stopping` if the process ends.
 */
export async function readBody(c: Context, limitBytes: number): Promise<Buffer> {
  const tooLarge = () => new DomainError('body_too_large', { limitBytes });
  if (Number(c.req.header('Content-Length') ?? 0) > limitBytes) throw tooLarge();
  const incoming: IncomingMessage | undefined = c.env?.incoming;
  if (incoming) return readIncoming(c, incoming, limitBytes, tooLarge);
  const body = c.req.raw.body;
  if (!body) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > limitBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

const keptBodies = createKeptBodies(limits.unfinishedBodiesBytes);

let wholeBodies: ReturnType<typeof createWholeBodies> | undefined;

/**
 * For a process with little memory that answers many: past so many bytes of bodies whose requests are being answered, further ones are
 * refused. The function that it returns undoes that.
 */
export function boundWholeBodies(bytes: number): () => void {
  const before = wholeBodies;
  wholeBodies = createWholeBodies(bytes);
  return () => {
    wholeBodies = before;
  };
}

/** Takes the memory of a body until its answer is written. Throws `store_unavailable` if there is none. */
function keepUntilAnswered(c: Context, bytes: number): void {
  if (!wholeBodies || bytes <= limits.ownTurnBytes) return;
  const giveBack = wholeBodies.take(c.get('principal')?.accountId ?? '', bytes);
  if (!giveBack) throw new DomainError('store_unavailable');
  const outgoing: ServerResponse = c.env.outgoing;
  if (outgoing.closed) giveBack();
  else outgoing.once('close', giveBack);
}

/**
 * Reads a Node server's request without a web stream, which would cost more than the rest of a small request. Throws
 * `malformed_json` if the sender stops early.
 */
function readIncoming(
  c: Context,
  incoming: IncomingMessage,
  limitBytes: number,
  tooLarge: () => Error,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // The request closed earlier, and 'close' will not be emitted again.
    if (incoming.destroyed && !incoming.readableEnded) return reject(new DomainError('malformed_json'));
    let kept: Buffer = Buffer.alloc(0);
    let size = 0;
    let isOver = false;
    const stops: (() => void)[] = [];
    const settle = () => {
      isOver = true;
      for (const stop of stops.splice(0)) stop();
      keptBodies.forget(body);
    };
    // The rest of the body is read and dropped, so that the answer reaches a client that is still sending.
    const refuse = (refusal: unknown) => {
      settle();
      kept = Buffer.alloc(0);
      reject(refusal);
    };
    const body = { giveUp: () => refuse(new DomainError('store_unavailable')) };
    stops.push(watchPace(() => size, refuse));
    stops.push(onShutdown(c, refuse));
    incoming.on('data', (chunk: Buffer) => {
      if (isOver) return;
      kept = append(kept, size, chunk);
      size += chunk.length;
      if (size > limitBytes) return refuse(tooLarge());
      keptBodies.note(body, kept.length);
    });
    incoming.once('end', () => {
      if (isOver) return;
      settle();
      try {
        keepUntilAnswered(c, size);
        resolve(kept.subarray(0, size));
      } catch (error) {
        reject(error);
      }
    });
    incoming.once('error', refuse);
    incoming.once('close', () => {
      if (incoming.complete) settle();
      else refuse(new DomainError('malformed_json'));
    });
  });
}

/** The bytes with the chunk after the first `size`. A list of the chunks would take hundreds of bytes for a chunk of one. */
function append(bytes: Buffer, size: number, chunk: Buffer): Buffer {
  if (size === 0) return chunk;
  const needed = size + chunk.length;
  const roomy = needed <= bytes.length ? bytes : Buffer.allocUnsafe(Math.max(needed, 2 * bytes.length));
  if (roomy !== bytes) bytes.copy(roomy, 0, 0, size);
  chunk.copy(roomy, size);
  return roomy;
}

/**
 * Refuses a body that brings too little in a stretch of `bodyMilliseconds`, or is not whole when the edge stops waiting for
 * an answer. Returns the function that stops the watching.
 */
function watchPace(bytesSoFar: () => number, refuse: (refusal: unknown) => void): () => void {
  const { bodyMilliseconds, bodyBytesPerSecond, answerMilliseconds } = limits;
  const leastBytes = (bodyBytesPerSecond * bodyMilliseconds) / 1000;
  let before = 0;
  let passedMilliseconds = 0;
  let stopTimer = () => {};
  const wait = () => {
    const stretch = Math.min(bodyMilliseconds, answerMilliseconds - passedMilliseconds);
    stopTimer = startTimer({ clock: systemClock }, stretch, () => {
      passedMilliseconds += stretch;
      const brought = bytesSoFar() - before;
      if (brought < leastBytes || passedMilliseconds >= answerMilliseconds)
        return refuse(new DomainError('body_too_slow'));
      before += brought;
      wait();
    });
  };
  wait();
  return () => stopTimer();
}

interface JsonSize {
  limitLevels?: number;
  mostEntries?: number;
}

/**
 * Throws `nested_too_deep` before a parser can overflow on the text, and `invalid_request` before a parser makes
 * millions of values of the text, which would block the process for a second.
 */
export function checkJsonSize(
  text: string,
  { limitLevels = limits.jsonNestingLevels, mostEntries = limits.jsonEntries }: JsonSize = {},
): void {
  let level = 0;
  let commas = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (inString) {
      if (code === 0x5c) i++;
      else if (code === 0x22) inString = false;
    } else if (code === 0x22) inString = true;
    else if (code === 0x5b || code === 0x7b) {
      if (++level > limitLevels) throw new DomainError('nested_too_deep', { limitLevels });
    } else if (code === 0x5d || code === 0x7d) level--;
    else if (code === 0x2c && ++commas > mostEntries)
      throw fieldIssue('', `The request body has more than ${limits.jsonEntries} entries.`);
  }
}

/** The body as text that is valid UTF-8, bounded in size and nesting. */
export async function readJsonText(c: Context, limitBytes: number = limits.jsonBodyBytes): Promise<string> {
  const bytes = await readBody(c, limitBytes);
  if (bytes.length > limits.ownTurnBytes) await ownTurn();
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DomainError('malformed_json');
  }
  checkJsonSize(text);
  return text;
}

export function parseJson(text: string, parse: (text: string) => unknown = JSON.parse): unknown {
  try {
    return parse(text);
  } catch {
    throw new DomainError('malformed_json');
  }
}

/** Reads, bounds, parses and validates a JSON body: `body_too_large`, `nested_too_deep`, `malformed_json`, `invalid_request`. */
export async function readJson<S extends v.GenericSchema>(
  c: Context,
  schema: S,
  limitBytes: number = limits.jsonBodyBytes,
): Promise<v.InferOutput<S>> {
  return validate(schema, parseJson(await readJsonText(c, limitBytes)));
}

/** Throws `invalid_request` with one issue per problem. A list is refused, since no request body is a list. */
export function validate<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  check(notList, input);
  return check(schema, input);
}

function check<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = checkShape(schema, input);
  if (result.success) return result.output;
  throw new DomainError('invalid_request', { issues: issuesOf(result.issues) });
}

/** A person would not read the problems of more entries. */
const manyEntries = 1_000;

/**
 * Validates what a stranger sent, and has all its problems. An input of many entries gets its first problem only:
 * to list millions of problems would block the process for seconds.
 */
export function checkShape<S extends v.GenericSchema>(schema: S, input: unknown): v.SafeParseResult<S> {
  const result = v.safeParse(schema, input, { abortEarly: true });
  return result.success || hasManyEntries(input) ? result : v.safeParse(schema, input);
}

function hasManyEntries(input: unknown): boolean {
  const waiting: unknown[] = [input];
  for (let at = 0; at < waiting.length; at++) {
    const value = waiting[at];
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) && value.length > manyEntries) return true;
    waiting.push(...Object.values(value).slice(0, manyEntries));
    if (waiting.length > manyEntries) return true;
  }
  return false;
}

export const issuesOf = (issues: readonly v.BaseIssue<unknown>[], fieldOf = fieldWithIndexes): Issue[] =>
  issues.map((issue) => ({
    field: fieldOf((issue.path ?? []).map(({ key }) => key)),
    problem: describeProblem(issue),
  }));

/** Where an issue is: `messages[0].role`. Empty if it is about the whole. */
const fieldWithIndexes = (keys: readonly unknown[]): string =>
  keys.reduce((place: string, key) => {
    if (typeof key === 'number') return `${place}[${key}]`;
    return place === '' ? String(key) : `${place}.${String(key)}`;
  }, '');

const inWords = new Map([
  ['Object', 'an object'],
  ['Array', 'a list'],
  ['string', 'a string'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
]);

/** The library's messages name the validator; ours name the mistake. */
function describeProblem({ message, received }: v.BaseIssue<unknown>): string {
  if (/^Invalid key: Expected ".*" but received undefined$/.test(message)) return 'is required';
  if (/^Invalid key: Expected never but received ".*"$/s.test(message)) return 'is not a field';
  const expected = /^Invalid type: Expected (.+) but received .+$/s.exec(message)?.[1];
  if (expected === undefined) return message;
  return received === 'undefined' ? 'is required' : `must be ${inWords.get(expected) ?? expected}`;
}

/** `field: problem`, or the problem alone if it is about the whole body. */
export const describeIssue = ({ field, problem }: Issue): string =>
  field ? `${field}: ${problem}` : problem;
