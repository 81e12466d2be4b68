import { setImmediate } from 'node:timers/promises';
import { type AttachmentIndex, indexAttachment, readSentText } from '@errand/text';
import type { PreparedCall } from '../call.ts';
import type { AgentInput } from '../conversation.ts';
import type { Acting, RunSoFar } from '../state.ts';
import type { Sent } from '../tool.ts';
import type { Memory } from '../tools/save-data.ts';
import { allowingQuestion, privateTexts } from './guarded.ts';
import {
  exchangesOf,
  isOwnUpload,
  knownValues,
  linkOf,
  ownFiles,
  ownLinks,
  resultsOf,
  type Secret,
} from './known-secrets.ts';
import { hasReadOutside } from './material.ts';
import { namesWord } from './names-word.ts';

type Conversing = RunSoFar & Pick<Acting, 'messages'>;

export interface Fence {
  /** Whether some of the calls may be ones that must not be made. Asks no store. */
  isNeeded(state: Conversing, calls: readonly PreparedCall[]): boolean;
  /** Replaces the calls that must not be made by the reason, in words for the model. */
  check(state: Conversing, calls: readonly PreparedCall[]): Promise<PreparedCall[]>;
}

interface Secrets {
  values: readonly Secret[];
  attachment: AttachmentIndex | undefined;
  /** An address that is one of these, and nothing more, may be read. */
  ownLinks: readonly string[];
  /** What the caller wrote. An address that is named there may be read. */
  callerTexts: readonly string[];
  /** The results of searches. An address that was found there was known before the run could tell it to anybody. */
  searchResults: readonly string[];
}

/**
 * Once the model has read material from outside, an address that carries a saved value or a piece of the attachment
 * is not fetched, nor is such a message sent to a tool that was brought, and a query that carries a saved value is not
 * searched for. Only values that the run has read or
 * saved are looked for, because the model knows no others.
 */
export function makeFence(
  memory: Pick<Memory, 'read'>,
  input: AgentInput,
  authorizations: readonly string[] = [],
): Fence {
  let indexed: { text: string; index: Promise<AttachmentIndex> } | undefined;
  const hasSecrets = (state: Conversing) =>
    authorizations.length + state.knownValues.length > 0 ||
    attachmentText(input, state) !== '' ||
    ownLinks(input, state).secret.texts.length > 0;
  const isNeeded: Fence['isNeeded'] = (state, calls) =>
    hasReadOutside(state) && calls.some(sentBy) && hasSecrets(state);
  const check: Fence['check'] = async (state, calls) => {
    if (!isNeeded(state, calls)) return [...calls];
    const text = attachmentText(input, state);
    if (text !== (indexed?.text ?? '')) indexed = { text, index: indexAttachment(text) };
    const exchanges = exchangesOf(state.messages);
    const { links, secret: link } = ownLinks(input, state);
    const secrets: Secrets = {
      values: [
        ...(await knownValues(memory, state.knownValues, exchanges)),
        link,
        { what: 'an authorization of this run', texts: authorizations },
      ],
      ownLinks: [...links, ...ownFiles(state.sources)],
      attachment: await indexed?.index,
      callerTexts: [input.question, input.documentUrl ?? '', input.audioUrl ?? '', linkOf(input), text],
      // A result that left the conversation is still a source.
      searchResults: [
        ...resultsOf(exchanges, 'web_search'),
        ...state.sources.flatMap(({ url, snippet, kind }) =>
          url !== undefined && snippet !== undefined && kind !== 'image' ? url : [],
        ),
      ],
    };
    const checked: PreparedCall[] = [];
    for (const prepared of calls) {
      const sent = sentBy(prepared);
      const problem = sent && (await problemOf(sent, allowingQuestion(input), secrets));
      checked.push(problem === undefined ? prepared : { call: prepared.call, problem });
      // A long address has many readings, so other work gets its turn between the calls.
      if (sent) await setImmediate();
    }
    return checked;
  };
  return { isNeeded, check };
}

/** The texts that the call would send to a host that the service does not know. */
function sentBy(prepared: PreparedCall): Sent | undefined {
  if (!('tool' in prepared) || prepared.tool.sends === 'nothing') return undefined;
  return prepared.tool.sends(prepared.args);
}

/**
 * Whether the call reads a file of the caller's own, sent to this run or to one that it goes on from. Its content must not leave the
 * service.
 */
export function readsOwnUpload(
  prepared: PreparedCall,
  input: AgentInput,
  { sources }: Pick<RunSoFar, 'sources'>,
): boolean {
  const sent = sentBy(prepared);
  if (sent === undefined || !('address' in sent)) return false;
  return isOwnUpload(input, sent.address) || ownFiles(sources).includes(sent.address);
}

const attachmentText = (input: AgentInput, { readings }: RunSoFar): string =>
  privateTexts(input, readings).join('\n');

async function problemOf(sent: Sent, question: string, secrets: Secrets): Promise<string | undefined> {
  if ('address' in sent) return addressProblem(sent.address, secrets);
  if ('message' in sent) return messageProblem(sent.message, secrets);
  const { values } = await carriedBy(sent.query, { ...secrets, attachment: undefined });
  const carried = [...values].find(({ name }) => name === undefined || !namesWord(question, name));
  return carried && refusal('query', carried.what);
}

async function messageProblem(message: string, secrets: Secrets): Promise<string | undefined> {
  const { values, pieces } = await carriedBy(message, secrets);
  const [value] = values;
  if (value) return refusal('call', value.what);
  return pieces.size > 0 ? refusal('call', 'text of the attached file') : undefined;
}

async function addressProblem(address: string, secrets: Secrets): Promise<string | undefined> {
  if (secrets.ownLinks.includes(address)) return undefined;
  const carried = await carriedBy(address, secrets);
  if (carried.values.size + carried.pieces.size === 0) return undefined;
  if (secrets.searchResults.some((results) => results.split('\n').includes(address))) return undefined;
  const named = namedBeginning(address, secrets.callerTexts);
  if (named !== undefined && named === URL.parse(address)?.href) return undefined;
  const known = await carriedBy(named ?? '', secrets);
  const value = [...carried.values].find((each) => !known.values.has(each));
  if (value !== undefined) return refusal('address', value.what);
  if ([...carried.pieces].every((piece) => known.pieces.has(piece))) return undefined;
  return refusal('address', 'text of the attached file');
}

const refusal = (sent: string, secret: string): string =>
  `Error: This ${sent} carries ${secret}, which is not sent out once the run has read something from outside. Leave it out, or answer with what there is.`;

async function carriedBy(sent: string, { values, attachment }: Pick<Secrets, 'values' | 'attachment'>) {
  const text = await readSentText(sent);
  const carried = new Set<Secret>();
  for (const value of values)
    for (const each of value.texts)
      if (!carried.has(value) && (await text.carriesValue(each))) carried.add(value);
  return {
    values: carried,
    pieces: attachment ? await text.piecesOf(attachment) : new Set<string>(),
  };
}

/**
 * The longest beginning of the address that the caller's texts name, with at least its whole host; undefined if none
 * of them names the host.
 */
function namedBeginning(address: string, texts: readonly string[]): string | undefined {
  const url = URL.parse(address);
  if (!url) return undefined;
  const whole = afterScheme(url);
  let longest = 0;
  for (const named of texts.flatMap((text) => addressesIn(text, url.hostname))) {
    if (named.host !== url.host) continue;
    const other = afterScheme(named);
    let length = url.host.length;
    while (length < whole.length && whole[length] === other[length]) length++;
    longest = Math.max(longest, length);
  }
  return longest === 0 ? undefined : `${url.protocol}//${whole.slice(0, longest)}`;
}

const afterScheme = ({ host, pathname, search, hash }: URL): string => host + pathname + search + hash;

/** The addresses of a text that may be of this host, with and without the punctuation behind them. */
const addressesIn = (text: string, hostname: string): URL[] =>
  text
    .split(/[\s<>"`|]+/)
    .filter((word) => word.toLowerCase().includes(hostname))
    .flatMap((word) => word.split(/(?=https?:\/\/)/i))
    .flatMap((word) => [word, withoutPunctuationBehind(word)])
    .map((word) => (/^https?:/i.test(word) ? word : `https://${word.replace(/^[^\p{L}\p{N}]+/u, '')}`))
    .flatMap((word) => URL.parse(word) ?? []);

function withoutPunctuationBehind(word: string): string {
  let end = word.length;
  while (end > 0 && !/[\p{L}\p{N}/]/u.test(word[end - 1]!)) end--;
  return word.slice(0, end);
}
