import { beforeAll, beforeEach, expect } from 'vitest';
import {
  type ChatRequest,
  type Provider,
  type ScriptedAnswer,
  type ScriptedCall,
  startProvider,
} from '../../support/model-server.ts';
import { type RunEvent, simpleCatalogue, startTestService, type TestService } from '../../support/service.ts';
import { type OutsideWorld, startOutsideWorld } from './outside-world.ts';

interface FileToUpload {
  name: string;
  bytes: string | Uint8Array;
}

/** A run that has ended. */
export interface EndedRun {
  agentId: string;
  events: RunEvent[];
  /** The results of its tools, in their order. */
  results: string[];
  /** What GET answers. */
  view: RunView;
}

interface RunView extends Record<string, unknown> {
  status: string;
  result?: string;
  citations?: CitationView[];
  usage: Record<string, unknown>;
}

interface CitationView {
  type: string;
  url?: string;
  filename?: string;
  title?: string;
  startIndex: number;
  endIndex: number;
  passage?: string;
  support?: number;
}

export interface Flows {
  provider: Provider;
  service: TestService;
  world: OutsideWorld;
  /** The requests of the reasoning model, in their order. */
  asked(): ChatRequest[];
  /** Runs a question whose model gives these answers in their order, then confirms. */
  run(answers: Turn[], body?: object, file?: FileToUpload): Promise<EndedRun>;
  /** Starts a run. Answers with the refusal if it is not accepted. */
  create(body: object, file?: FileToUpload, key?: string): Promise<Response>;
}

/** What the reasoning model answers. A list is the calls of a turn. */
export type Turn = ScriptedCall[] | Exclude<ScriptedAnswer, ScriptedCall[]>;

export const confirm: ScriptedAnswer = { calls: [{ name: 'confirm_answer', args: {} }] };

export const call = (name: string, args: object): ScriptedCall => ({ name, args });

/** The service with models of every role, a search engine and a web site, for all tests of a file. */
export function useFlows(take: (flows: Flows) => void): void {
  let flows: Flows;
  beforeAll(async () => {
    const [provider, world] = await Promise.all([startProvider(), startOutsideWorld()]);
    const service = await startTestService({
      catalogue: catalogueOf(provider, world),
      env: {
        FETCH_ALLOWED_HOSTS: world.host,
        SEARCH_PROVIDER: 'searxng',
        SEARCH_BASE_URL: world.url,
      },
    });
    flows = flowsOf(provider, world, service);
    take(flows);
    return async () => {
      await service.stop();
      await Promise.all([provider.close(), world.close()]);
    };
  });
  beforeEach(() => flows.world.reset());
}

const catalogueOf = (provider: Provider, world: OutsideWorld) =>
  simpleCatalogue(provider.baseUrl, {
    models: [
      {
        id: 'ears',
        kind: 'speech',
        upstream: { baseUrl: `${world.url}/v1`, model: 'ears-diarize' },
        price: { perSecond: 0.0001 },
      },
      {
        id: 'judge',
        kind: 'decision',
        upstream: { baseUrl: world.url, model: 'upstream-judge' },
        price: { inputPerMillionTokens: 0.1 },
      },
    ],
    roles: { speech: 'ears', decision: 'judge' },
  });

function flowsOf(provider: Provider, world: OutsideWorld, service: TestService): Flows {
  const create: Flows['create'] = (body, file, key) => {
    const whole = { question: 'When is high water?', ...body };
    if (!file) return service.post('/v1/agents/runs', whole, key === undefined ? {} : { key });
    const form = new FormData();
    for (const [name, value] of Object.entries(whole)) form.set(name, String(value));
    form.set('file', new Blob([file.bytes as Uint8Array<ArrayBuffer>]), file.name);
    return service.request('/v1/agents/runs', {
      method: 'POST',
      body: form,
      key,
    });
  };
  return {
    provider,
    world,
    service,
    asked: () => provider.requests.filter(({ model }) => model !== 'upstream-eyes'),
    create,
    async run(answers, body = {}, file) {
      let number = 0;
      provider.script(({ model }) => {
        if (model === 'upstream-eyes') return { text: 'A grey pixel.' };
        const answer = answers[number++] ?? confirm;
        return Array.isArray(answer) ? { calls: answer } : answer;
      });
      const response = await create(body, file);
      const text = await response.text();
      expect([response.status, text]).toEqual([202, expect.any(String)]);
      const { agentId } = JSON.parse(text) as { agentId: string };
      const events = await service.follow(agentId);
      const results = events.flatMap(({ type, result }) => (type === 'tool_result' ? [String(result)] : []));
      return { agentId, events, results, view: (await service.read(agentId)) as RunView };
    },
  };
}

/** What the model is shown of the question and what was read for it. */
export const openingOf = (request: ChatRequest | undefined): string =>
  String(request?.messages.find(({ role }) => role === 'user')?.content);

export const toolMessages = (request: ChatRequest | undefined): string[] =>
  (request?.messages ?? []).filter(({ role }) => role === 'tool').map(({ content }) => String(content));
