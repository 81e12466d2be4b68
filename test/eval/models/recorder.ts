import { type LocalServer, type Reply, sendText, serve } from '../../support/local-server.ts';
import { type Message, parseArguments, textOf } from '../policy/conversation.ts';
import { bareText } from '../score/bare-text.ts';
import { commonLength } from './prompt-cache.ts';
import type { Tape } from './tape.ts';

/** What a run showed to its model. */
export interface Shown {
  completions: number;
  /** The awaited passages that the model was given. */
  passages: Set<string>;
  /** The passages that the model was given without the marks of material from outside. */
  unmarked: Set<string>;
  /** The place of what answers in the best list of results, or among the passages that were shown; from 1. */
  foundAt?: number;
  /** Completions by the message that their conversation begins with: the run's own, and those of its sub-runs. */
  conversations: Map<string, number>;
  /** Characters of requests after the first, and how many of them the request before had at the same place. */
  characters: number;
  sharedCharacters: number;
}

/** What to look for in the requests of a run. */
export interface Sought {
  question: string;
  passages: readonly string[];
  /** The paths of pages that answer the question. */
  homes?: readonly string[];
}

export interface Recorder extends LocalServer {
  /** The recorder's address that stands for this one. */
  addressOf(baseUrl: string): string;
  /** Watches requests whose conversation begins with the question. */
  watch(sought: Sought): Shown;
}

interface Watch extends Sought {
  /** What the run has others work on. */
  asked: Set<string>;
  waiting: Map<string, string>;
  shown: Shown;
  /** The messages that were looked at. */
  seen: Set<string>;
  lastRequests: Map<string, string>;
  /** How many passages of materials were shown. */
  shownPassages: number;
}

const outsideMaterial = /<outside_material\b.*?<\/outside_material>/gs;

/**
 * Stands between the service and its chat models: passes everything on, and notes what a model was shown. With a tape, it
 * keeps the answers there, or takes them from it.
 */
export async function startRecorder(tape?: Tape): Promise<Recorder> {
  const addresses: string[] = [];
  const watches: Watch[] = [];
  const pass: Reply = async (request, response) => {
    const [, number = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(request.path) ?? [];
    const isChat = rest.startsWith('/chat/completions');
    const watch = isChat ? note(watches, JSON.parse(request.body)) : undefined;
    const kept = isChat ? tape?.take(request.body) : undefined;
    if (kept) noteAsked(watch, kept.body);
    if (kept) return sendText(response, kept.status, kept.body);
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${addresses[Number(number)]}${rest}`, {
      method: response.req.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(request.bytes),
    });
    const body = await answer.text();
    noteAsked(watch, body);
    if (isChat) tape?.keep(request.body, { status: answer.status, body });
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(body);
  };
  const server = await serve(async (request, response) => {
    try {
      await pass(request, response);
    } catch (error) {
      if (response.headersSent) response.end(String(error));
      else sendText(response, 500, String(error));
    }
  });
  return {
    ...server,
    addressOf(baseUrl) {
      addresses.push(baseUrl);
      return `${server.url}/${addresses.length - 1}`;
    },
    watch({ question, passages, homes }) {
      const shown: Shown = {
        completions: 0,
        conversations: new Map(),
        passages: new Set(),
        unmarked: new Set(),
        characters: 0,
        sharedCharacters: 0,
      };
      const waiting = new Map(passages.map((one) => [one, bareText(one)]));
      const empty = {
        asked: new Set<string>(),
        seen: new Set<string>(),
        lastRequests: new Map<string, string>(),
      };
      watches.push({ question, passages, homes, waiting, shown, ...empty, shownPassages: 0 });
      return shown;
    },
  };
}

interface Request {
  messages?: Message[];
  tools?: unknown[];
}

function note(watches: readonly Watch[], { messages = [], tools = [] }: Request): Watch | undefined {
  const opening = textOf(messages.find(({ role }) => role === 'user') ?? { role: 'user' });
  // The newest watch: an evaluation of two services asks the same questions twice.
  const watch = watches.findLast(
    ({ question, asked }) =>
      opening.startsWith(question) || [...asked].some((one) => opening.startsWith(one)),
  );
  if (!watch) return undefined;
  const { shown } = watch;
  shown.completions++;
  shown.conversations.set(opening, (shown.conversations.get(opening) ?? 0) + 1);
  const text = JSON.stringify(tools) + messages.map((message) => JSON.stringify(message)).join('\n');
  const lastRequest = watch.lastRequests.get(opening);
  if (lastRequest !== undefined) {
    shown.characters += text.length;
    shown.sharedCharacters += commonLength(lastRequest, text);
  }
  watch.lastRequests.set(opening, text);
  for (const message of messages) {
    const key = JSON.stringify(message);
    if (watch.seen.has(key)) continue;
    watch.seen.add(key);
    noteMessage(watch, message);
  }
  return watch;
}

/** The questions that the model has others work on: their conversations are the run's too. */
function noteAsked(watch: Watch | undefined, body: string): void {
  if (!watch || !body.startsWith('{')) return;
  const { choices = [] } = JSON.parse(body) as { choices?: { message?: Message }[] };
  for (const call of choices[0]?.message?.tool_calls ?? []) {
    const { questions } = parseArguments(call.function.arguments);
    if (Array.isArray(questions)) for (const one of questions) watch.asked.add(String(one));
  }
}

function noteMessage(watch: Watch, message: Message): void {
  const { waiting, shown, homes } = watch;
  const text = textOf(message);
  const place =
    message.role === 'assistant'
      ? undefined
      : homes
        ? placeOfResult(text, homes)
        : placeOfPassage(watch, text);
  if (place !== undefined) shown.foundAt = Math.min(place, shown.foundAt ?? Number.POSITIVE_INFINITY);
  if (waiting.size === 0) return;
  const whole = bareText(text);
  const unmarked = bareText(text.replaceAll(outsideMaterial, ''));
  for (const [passage, wanted] of waiting) {
    if (!whole.includes(wanted)) continue;
    shown.passages.add(passage);
    if (unmarked.includes(wanted)) shown.unmarked.add(passage);
    waiting.delete(passage);
  }
}

/** The place of the first of these pages in a list of results, whose addresses stand on lines of their own. */
function placeOfResult(text: string, homes: readonly string[]): number | undefined {
  const paths = [...text.matchAll(/^https?:\/\/\S+$/gm)].map(
    ([address]) => URL.parse(address)?.pathname ?? '',
  );
  const at = paths.findIndex((path) => homes.includes(path));
  return at < 0 ? undefined : at + 1;
}

/**
 * The place of an awaited passage among all that were shown: one more than those of the messages before, because a
 * message shows its passages in the order of the material.
 */
function placeOfPassage(watch: Watch, text: string): number | undefined {
  const [, ...shown] = text.split(/^\[Passage \d+/m);
  const place = watch.shownPassages + 1;
  watch.shownPassages += shown.length;
  const wanted = watch.passages.map(bareText);
  return shown.some((one) => wanted.some((passage) => bareText(one).includes(passage))) ? place : undefined;
}
