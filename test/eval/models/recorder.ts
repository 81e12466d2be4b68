import { type LocalServer, type Reply, sendText, serve } from '../../support/local-server.ts';
import { type Message, textOf } from '../policy/conversation.ts';
import { bareText } from '../words.ts';

/** What a run showed to its model. */
interface Shown {
  completions: number;
  /** The awaited passages that the model was given. */
  passages: Set<string>;
  /** The passages that the model was given without the marks of material from outside. */
  unmarked: Set<string>;
}

export interface Recorder extends LocalServer {
  /** The recorder's address that stands for this one. */
  addressOf(baseUrl: string): string;
  /** Watches for passages in requests whose conversation begins with the question. */
  watch(question: string, passages: readonly string[]): Shown;
}

interface Watch {
  question: string;
  waiting: Map<string, string>;
  shown: Shown;
}

const outsideMaterial = /<outside_material\b.*?<\/outside_material>/gs;

/** Stands between the service and its chat models: passes everything on, and notes which passages a model was shown. */
export async function startRecorder(): Promise<Recorder> {
  const addresses: string[] = [];
  const watches: Watch[] = [];
  const pass: Reply = async (request, response) => {
    const [, number = '', rest = ''] = /^\/(\d+)(\/.*)$/.exec(request.path) ?? [];
    if (rest.startsWith('/chat/completions')) note(watches, JSON.parse(request.body));
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(`${addresses[Number(number)]}${rest}`, {
      method: response.req.method ?? 'POST',
      headers: headers as Record<string, string>,
      body: new Uint8Array(request.bytes),
    });
    response.writeHead(answer.status, {
      'Content-Type': answer.headers.get('content-type') ?? 'application/json',
    });
    for await (const chunk of answer.body ?? []) response.write(chunk);
    response.end();
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
    watch(question, passages) {
      const shown: Shown = { completions: 0, passages: new Set(), unmarked: new Set() };
      watches.push({ question, waiting: new Map(passages.map((one) => [one, bareText(one)])), shown });
      return shown;
    },
  };
}

function note(watches: readonly Watch[], { messages = [] }: { messages?: Message[] }): void {
  const opening = textOf(messages.find(({ role }) => role === 'user') ?? { role: 'user' });
  // The newest watch: an evaluation of two services asks the same questions twice.
  const watch = watches.findLast(({ question }) => opening.startsWith(question));
  if (!watch) return;
  watch.shown.completions++;
  const { waiting, shown } = watch;
  for (const message of messages) {
    if (waiting.size === 0) return;
    const text = textOf(message);
    const whole = bareText(text);
    const unmarked = bareText(text.replaceAll(outsideMaterial, ''));
    for (const [passage, wanted] of waiting) {
      if (!whole.includes(wanted)) continue;
      shown.passages.add(passage);
      if (unmarked.includes(wanted)) shown.unmarked.add(passage);
      waiting.delete(passage);
    }
  }
}
