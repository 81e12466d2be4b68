import { setTimeout } from 'node:timers/promises';
import { type LocalServer, sendJson, serve } from '../../support/local-server.ts';
import type { PolicyRequest } from '../policy/conversation.ts';
import { completePolicy, inputTokens } from './completion.ts';
import { type DecisionBody, decide, type Judge } from './decisions.ts';
import { type EmbeddingBody, embed } from './embeddings.ts';
import { promptCache } from './prompt-cache.ts';
import { type Transcripts, transcribe } from './speech.ts';

const tooLong = {
  message: 'The input is longer than the context of the model.',
  code: 'context_length_exceeded',
};

export interface Models extends LocalServer {
  /** Forgets the prompts that were cached. */
  forget(): void;
}

/** The made models: the fixed policy as a chat model, a speech model that knows the corpus's recordings, and a decision model. */
export async function startModels(deps: {
  transcripts: Transcripts;
  judge: Judge;
  contextTokens: number;
  seed: string;
  /** How long each completion takes. */
  paceSeconds?: number;
}): Promise<Models> {
  let number = 0;
  let cache = promptCache();
  const server = await serve(async ({ path, body, bytes }, response) => {
    switch (path) {
      case '/v1/chat/completions': {
        const chat = JSON.parse(body) as PolicyRequest;
        number++;
        if (deps.paceSeconds !== undefined) await setTimeout(deps.paceSeconds * 1000);
        if (inputTokens(chat) > deps.contextTokens) return sendJson(response, 400, { error: tooLong });
        return sendJson(response, 200, completePolicy(chat, number, { seed: deps.seed, ...cache }));
      }
      case '/v1/audio/transcriptions':
        return sendJson(response, 200, transcribe(deps.transcripts, bytes));
      case '/v1/embeddings':
        return sendJson(response, 200, embed(JSON.parse(body) as EmbeddingBody));
      case '/v1/systemone':
        return sendJson(response, 200, decide(JSON.parse(body) as DecisionBody, deps.judge));
      default:
        return sendJson(response, 404, { error: 'Not found' });
    }
  });
  return {
    ...server,
    forget() {
      cache = promptCache();
    },
  };
}
