import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { longText } from '../../flows/support/long-texts.ts';
import { embeddingsOf } from '../../support/embedding-server.ts';
import { type LocalServer, type Received, sendJson, serve } from '../../support/local-server.ts';
import { type Answer, readChatRequest, sendAnswer } from '../../support/model-server.ts';

/** The answer to a request of the reasoning model, by its number in the run, from 1, and what was said last. */
type AnswerScript = (number: number, last: string) => Answer | Promise<Answer>;

/** One request to the outside server. Its label names the run that sent it. */
export interface Asked {
  label: string;
  /** `completion-3`, `vision:a`, `speech:a`, `search:tides`, `page:a` */
  what: string;
}

export interface Outside extends LocalServer {
  asked: Asked[];
  /** Sets the answers of the reasoning model to a run. */
  script(label: string, script: AnswerScript): void;
  /** Resolves at the next matching request; earlier ones do not count. */
  nextAsked(matches: (asked: Asked) => boolean): Promise<Asked>;
  /** Makes matching requests wait until the returned function is called. */
  hold(matches: (asked: Asked) => boolean): () => void;
  /** Resets the connections of matching requests, which nobody notes, until the returned function is called. */
  cutOff(matches: (asked: Asked) => boolean): () => void;
}

interface ProofRequest {
  questions: Record<string, { instructions: { statement: string; passage: string } }>;
}

interface MessageRequest {
  messages: { role: string; content: unknown }[];
}

const thoughtOf = (label: string, number: number) => ({
  ...{ type: 'thinking', thinking: `Thought ${number}.`, signature: `signed ${label} ${number}` },
});

/** Even compressed longer than the text that an event or a checkpoint keeps in its item. */
const names = Array.from({ length: 1_060 }, (_, i) =>
  createHash('sha256').update(`boat ${i}`).digest('base64url'),
).join(' ');
const longDescription = (label: string) => `A harbour at ${label}. Its boats: ${names}.`;

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/**
 * One server with the models, the search engine and the web pages. The answer to a conversation depends on nothing but
 * the conversation, so the outcome of a run cannot depend on who asks or how often.
 */
export async function startOutside(): Promise<Outside> {
  const asked: Asked[] = [];
  const scripts = new Map<string, AnswerScript>();
  const listeners = new Set<(asked: Asked) => void>();
  const cuts = new Set<(asked: Asked) => boolean>();
  const gates = new Set<{ matches: (asked: Asked) => boolean; open: Promise<void> }>();

  async function note(label: string, what: string): Promise<void> {
    const question = { label, what };
    for (const isCut of cuts) if (isCut(question)) throw new Error('cut off');
    asked.push(question);
    for (const listener of [...listeners]) listener(question);
    for (const gate of gates) if (gate.matches(question)) await gate.open;
  }

  async function complete(response: ServerResponse, text: string): Promise<void> {
    const body = readChatRequest(text, response);
    if (!body) return;
    if (body.model === 'upstream-eyes') {
      const question = (body.messages[0]?.content as { text: string }[] | undefined)?.[0]?.text ?? '';
      const [, label = '', name = ''] = /\[(\S+) (\S+)\]/.exec(question) ?? [];
      await note(label, `vision:${name}`);
      return sendAnswer(response, body, { text: longDescription(label) });
    }
    const label =
      /\[(\S+) run\]/.exec(String(body.messages.find(({ role }) => role === 'user')?.content))?.[1] ?? '';
    const number = body.messages.filter(({ role }) => role === 'assistant').length + 1;
    await note(label, `completion-${number}`);
    const answer = await (scripts.get(label) ?? (() => ({ text: 'ok' })))(
      number,
      String(body.messages.at(-1)?.content),
    );
    return sendAnswer(response, body, answer);
  }

  /** A run's model that speaks Messages. It takes back no turn without the thinking that it was made with. */
  async function answerMessage(response: ServerResponse, { messages }: MessageRequest): Promise<void> {
    const label = /\[(\S+) run\]/.exec(JSON.stringify(messages[0]))?.[1] ?? '';
    const turns = messages.filter(({ role }) => role === 'assistant');
    for (const [i, { content }] of turns.entries())
      if (!JSON.stringify(content).includes(JSON.stringify(thoughtOf(label, i + 1))))
        return sendJson(response, 400, { type: 'error', error: { type: 'invalid_request_error' } });
    const number = turns.length + 1;
    await note(label, `completion-${number}`);
    const script: AnswerScript = scripts.get(label) ?? (() => ({ text: 'ok' }));
    const { text, calls = [] } = await script(number, JSON.stringify(messages.at(-1)));
    const uses = calls.map(({ name, args }, i) => ({
      type: 'tool_use',
      id: `toolu_${number}_${i}`,
      name,
      input: args,
    }));
    sendJson(response, 200, {
      ...{
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
      },
      content: [thoughtOf(label, number), ...(text ? [{ type: 'text', text }] : []), ...uses],
      usage: { input_tokens: 60, cache_read_input_tokens: 40, output_tokens: 10 },
    });
  }

  async function reply({ path, body }: Received, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(path, 'http://outside');
    const [, kind = '', label = '', name = ''] = pathname.split('/');
    if (pathname === '/v1/chat/completions') return complete(response, body);
    if (pathname === '/v1/messages') return answerMessage(response, JSON.parse(body));
    if (pathname === '/v1/audio/transcriptions') {
      const [, of = '', recording = ''] = /filename="(\S+)--(\w+)\.mp3"/.exec(body) ?? [];
      await note(of, `speech:${recording}`);
      return sendJson(response, 200, transcript);
    }
    if (pathname === '/v1/embeddings') return sendJson(response, 200, embeddingsOf(body));
    if (pathname === '/v1/systemone') return decide(response, JSON.parse(body));
    if (kind === 'search') {
      const [of = '', query = ''] = (searchParams.get('q') ?? '').split(' ');
      await note(of, `search:${query}`);
      return sendJson(response, 200, {
        results: [{ title: 'Tides', url: 'https://example.org/', content: 'At noon.' }],
      });
    }
    if (response.req.method !== 'HEAD') await note(label, `${kind}:${name}`);
    const found = files[kind];
    response.writeHead(found ? 200 : 404, { 'Content-Type': found?.type ?? 'text/plain' }).end(found?.body);
  }

  /** A claim is borne out by a passage that has its words. Its run's label stands in brackets. */
  async function decide(response: ServerResponse, { questions }: ProofRequest): Promise<void> {
    const claims = Object.entries(questions).map(([id, { instructions }]) => ({ id, ...instructions }));
    const label = /\((\S+)\)/.exec(claims[0]?.statement ?? '')?.[1] ?? '';
    await note(label, `decision:${claims.length}`);
    const answers = claims.map(({ id, statement, passage }) => {
      const isBorneOut = passage.includes(statement.replace(/ \(\S+\)/, ''));
      return [id, { type: 'noul', noul: isBorneOut ? 0.9 : 0.1 }];
    });
    sendJson(response, 200, {
      answers: Object.fromEntries(answers),
      usage: { input_tokens: 100 * claims.length },
    });
  }

  const server = await serve((received, response) =>
    reply(received, response).catch(() => response.destroy()),
  );
  return {
    ...server,
    asked,
    script: (label, script) => void scripts.set(label, script),
    nextAsked: (matches) =>
      new Promise((resolve) => {
        const listener = (question: Asked) => {
          if (!matches(question)) return;
          listeners.delete(listener);
          resolve(question);
        };
        listeners.add(listener);
      }),
    hold(matches) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const gate = { matches, open: promise };
      gates.add(gate);
      return () => {
        gates.delete(gate);
        resolve();
      };
    },
    cutOff(matches) {
      cuts.add(matches);
      return () => void cuts.delete(matches);
    },
  };
}

const files: Record<string, { type: string; body: string | Buffer }> = {
  page: { type: 'text/html', body: '<html><body><h1>Tides</h1><p>High water is at noon.</p></body></html>' },
  document: { type: 'text/plain', body: 'Low water is at six.' },
  /** A document whose text has 1 MB. */
  tome: { type: 'text/plain', body: 'All about tides. '.repeat(60_000).trim() },
  /** A log of 1 MB, of which a model is shown a part. */
  log: {
    type: 'text/plain',
    body: longText(1_000_000, { 300: 'High water is at noon.', 700: 'The toll is seven ducats.' }),
  },
  /** A page of nearly 5 MB: its conversion and its passages take more than 150 MB. */
  scroll: { type: 'text/html', body: `<html><body><p>${'lorem ipsum '.repeat(410_000)}</body></html>` },
  image: { type: 'image/png', body: png },
  recording: { type: 'audio/mpeg', body: 'not really a recording' },
};

const transcript = {
  duration: 61.2,
  language: 'en',
  segments: [{ start: 0, end: 61, speaker: 'A', text: 'Welcome aboard.' }],
};
