import { delay } from '@errand/platform';
import {
  type Answer,
  type ChatRequest,
  type ScriptedAnswer,
  startProvider,
} from '../support/model-server.ts';
import { answerTo } from './mix.ts';

/** What a provider in trouble does: a 500, a 429 that names no time, a broken connection. */
const troubles: ScriptedAnswer[] = [{ status: 500, body: '' }, { status: 429, body: '' }, 'break'];

/** A provider of two upstreams. */
export interface StormProvider {
  baseUrl: string;
  fallbackUrl: string;
  /** Both upstreams fail every request for a while, each in another way. */
  failFor(milliseconds: number): Promise<void>;
  /** The first upstream takes connections for a while and says nothing. */
  hangFor(milliseconds: number): Promise<void>;
  close(): Promise<void>;
}

const thinkMilliseconds = 150;
/** Every fourth stream lasts for longer than a stop gives it. */
const chunksPerStream = { short: 30, long: 130 };
const chunkMilliseconds = 100;

export async function startStormProvider(): Promise<StormProvider> {
  let failing = 0;
  let failures = 0;
  let hanging = 0;
  const upstream = async (hangs: () => boolean) => {
    const provider = await startProvider(async (request) => {
      provider.requests.length = 0;
      if (hangs()) return 'hang';
      await delay(thinkMilliseconds * (0.5 + Math.random()));
      if (failing > 0) return troubles[failures++ % troubles.length]!;
      return request.stream ? stream(request) : complete(request);
    });
    return provider;
  };
  const first = await upstream(() => hanging > 0);
  const fallback = await upstream(() => false);
  return {
    baseUrl: first.baseUrl,
    fallbackUrl: fallback.baseUrl,
    async failFor(milliseconds) {
      failing++;
      await delay(milliseconds);
      failing--;
    },
    async hangFor(milliseconds) {
      hanging++;
      await delay(milliseconds);
      hanging--;
    },
    async close() {
      await Promise.all([first.close(), fallback.close()]);
    },
  };
}

function complete({ messages }: ChatRequest): Answer {
  const question = String(messages.find(({ role }) => role === 'user')?.content);
  const label = /\[run (\S+)\]/.exec(question)?.[1];
  if (label === undefined) return { text: 'Hello.', usage: chatUsage(question) };
  const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
  return answerTo(label, turn);
}

/** The number of a chat is in its tokens, by which its charge is found. */
const chatUsage = (question: string) => ({ input: 100, output: 1_000 + numberOf(question) });

const numberOf = (question: string) => Number(/\[chat (\d+)\]/.exec(question)?.[1]);

function stream({ messages }: ChatRequest): Answer {
  const question = String(messages.at(-1)?.content);
  const chunks = numberOf(question) % 4 === 0 ? chunksPerStream.long : chunksPerStream.short;
  return { text: words(chunks), usage: chatUsage(question) };
}

async function* words(count: number): AsyncGenerator<string> {
  for (let i = 0; i < count; i++) {
    yield `word ${i} `;
    await delay(chunkMilliseconds);
  }
}
