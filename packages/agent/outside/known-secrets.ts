import type { AgentInput } from '../conversation.ts';
import type { ConversationMessage, Source } from '../data.ts';
import { investigateName } from '../tools/investigate.ts';
import type { Memory } from '../tools/save-data.ts';
import { unmarkOutside } from './material.ts';

/** A text that must not leave the service in an address or a query. */
export interface Secret {
  /** The secret's name for the model, such as `the saved value "iban"`. */
  what: string;
  /** The name of a saved value. */
  name?: string;
  texts: readonly string[];
}

/** The values that the run knows: as they are saved now, and as its conversation has them, for they may have changed since. */
export async function knownValues(
  memory: Pick<Memory, 'read'>,
  names: readonly string[],
  exchanges: readonly Exchange[],
): Promise<Secret[]> {
  const texts = new Map<string, Set<string>>(names.map((name) => [name, new Set()]));
  for (const { tool, input, result } of exchanges) {
    if (tool !== 'save_data' && tool !== 'read_data') continue;
    const args = parseArguments(input);
    const name = typeof args.name === 'string' ? args.name.trim() : '';
    if (tool === 'save_data' && typeof args.value === 'string') texts.get(name)?.add(args.value);
    if (tool === 'read_data' && result !== undefined) texts.get(name)?.add(unmarkOutside(result));
  }
  await Promise.all(
    names.map(async (name) => {
      const found = await memory.read(name);
      if (found) texts.get(name)?.add(found.value);
    }),
  );
  return [...texts].map(([name, known]) => ({
    what: `the saved value ${JSON.stringify(name)}`,
    name,
    texts: [...known],
  }));
}

/** The links to files of the run, which whoever has them can follow. Their texts are the signatures. */
export function ownLinks(
  input: AgentInput,
  { messages, readings }: { messages: readonly ConversationMessage[]; readings: readonly string[] },
): { links: string[]; secret: Secret } {
  const exchanges = exchangesOf(messages);
  const saved = resultsOf(exchanges, 'save_file').flatMap((result) => result.match(/https?:\/\/\S+/g) ?? []);
  const links = [...saved, linkOf(input), input.attachment?.filename ?? ''].filter((link) => link !== '');
  const signatures = links.flatMap((link) => {
    const query = URL.parse(link)?.searchParams;
    return query?.get('signature') ?? query?.get('X-Amz-Signature') ?? [];
  });
  // What a sub-run saves, its report may tell; what a run saves, the question of its sub-run.
  const told = [...resultsOf(exchanges, investigateName), ...toldLinks(input), ...readings];
  const texts = [...signatures, ...told.flatMap(signaturesIn)];
  return { links, secret: { what: 'a link to a file of this run', texts } };
}

/** The words of a sub-run's question that have links to files of its run. They are among the readings of runs that go on from it. */
export const toldLinks = ({ isSubRun, question }: AgentInput): string[] =>
  isSubRun ? question.split(/\s+/).filter((word) => signaturesIn(word).length > 0) : [];

const signaturesIn = (text: string): string[] =>
  [...text.matchAll(/[?&]expires=\d+&signature=([\w-]{22})(?![\w-])/g)].map(([, signature]) => signature!);

/** The link to the caller's upload, if it is an image or a recording. */
export const linkOf = ({ attachment }: AgentInput): string =>
  attachment && attachment.kind !== 'document' ? attachment.url : '';

/** Whether an address that the model gives names the caller's upload: by its link, or by its name. */
export const isOwnUpload = (input: AgentInput, address: string): boolean =>
  address !== '' && (address === linkOf(input) || address === input.attachment?.filename);

/** The names of files of the caller that the run has read, also those that were sent to runs which it goes on from. */
export const ownFiles = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ url, filename }) => (url === undefined && filename !== undefined ? filename : []));

function parseArguments(json: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(json);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** A call of the model, and what it was answered. */
interface Exchange {
  tool: string;
  /** The JSON that the model wrote. */
  input: string;
  /** Undefined while the call is not answered. */
  result: string | undefined;
}

/** The calls of a conversation, in their order. */
export function exchangesOf(messages: readonly ConversationMessage[]): Exchange[] {
  const byId = new Map<string, Exchange>();
  const all: Exchange[] = [];
  for (const message of messages) {
    if (message.role === 'assistant')
      for (const { id, function: called } of message.tool_calls ?? []) {
        const exchange = { tool: called.name, input: called.arguments, result: undefined };
        byId.set(id, exchange);
        all.push(exchange);
      }
    if (message.role !== 'tool') continue;
    const asked = byId.get(message.tool_call_id);
    if (asked) asked.result = message.content;
  }
  return all;
}

/** The answers to the calls of a tool. */
export const resultsOf = (exchanges: readonly Exchange[], tool: string): string[] =>
  exchanges.flatMap((exchange) => (exchange.tool === tool ? (exchange.result ?? []) : []));
