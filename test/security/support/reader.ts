import { parseEvents, type RunEvent } from '../../support/service.ts';

/** A reader of a run's stream. */
export interface Reader {
  /** Resolves when an event of this id has come. */
  until(id: number): Promise<void>;
  /** Resolves with all events when the stream has ended cleanly, and rejects if it broke off. */
  ended: Promise<RunEvent[]>;
  /** Whether the stream has ended. */
  over(): boolean;
  leave(): Promise<void>;
}

type Request = (path: string, init?: RequestInit) => Promise<Response>;

/** Opens a stream. Throws unless the answer is a 200. */
export async function openReader(request: Request, agentId: string, after = 0): Promise<Reader> {
  const headers: Record<string, string> = after === 0 ? {} : { 'Last-Event-ID': String(after) };
  const response = await request(`/v1/agents/runs/${agentId}/stream`, { headers });
  if (response.status !== 200 || !response.body) throw new Error(String(response.status));
  const reader = response.body.getReader();
  const waiting = new Set<{ id: number; come(): void }>();
  let text = '';
  let over = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const last = parseEvents(text).at(-1)?.id ?? 0;
      for (const one of waiting) if (last >= one.id) one.come();
    }
    over = true;
    return parseEvents(text);
  };
  const ended = read();
  ended.catch(() => {});
  return {
    until: (id) =>
      new Promise((come) => {
        waiting.add({ id, come });
        if ((parseEvents(text).at(-1)?.id ?? 0) >= id) come();
      }),
    ended,
    over: () => over,
    leave: () => reader.cancel(),
  };
}

/** So many that a long event has begun. */
const firstCharacters = 10_000;

/** Opens a stream with long events, and reads no further than their beginning until `readOn` reads the rest. */
export async function openSilent(request: Request, agentId: string) {
  const response = await request(`/v1/agents/runs/${agentId}/stream`);
  if (response.status !== 200 || !response.body) throw new Error(String(response.status));
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  while (text.length < firstCharacters) {
    const { value, done } = await reader.read();
    if (done) throw new Error('the stream is too short');
    text += decoder.decode(value, { stream: true });
  }
  return {
    /** Resolves at a clean end, and rejects if the connection was cut. */
    async readOn(): Promise<RunEvent[]> {
      for (let part = await reader.read(); !part.done; part = await reader.read())
        text += decoder.decode(part.value, { stream: true });
      return parseEvents(text);
    },
  };
}
