import type { PolicyRequest } from '../policy/conversation.ts';
import { completePolicy, inputTokens } from './completion.ts';
import { type DecisionBody, decide, type Truth } from './decisions.ts';
import { type LocalServer, readBody, sendJson, serve } from './http.ts';
import { type Transcripts, transcribe } from './speech.ts';

const tooLong = {
  message: 'The input is longer than the context of the model.',
  code: 'context_length_exceeded',
};

/** The made models: the fixed policy as a chat model, a speech model that knows the corpus's recordings, and a decision model. */
export function startModels(deps: {
  transcripts: Transcripts;
  isTrue: Truth;
  contextTokens: number;
}): Promise<LocalServer> {
  let number = 0;
  return serve(async (request, response) => {
    const body = await readBody(request);
    switch (request.url) {
      case '/v1/chat/completions': {
        const chat = JSON.parse(body.toString('utf8')) as PolicyRequest;
        number++;
        if (inputTokens(chat) > deps.contextTokens) return sendJson(response, { error: tooLong }, 400);
        return sendJson(response, completePolicy(chat, number));
      }
      case '/v1/audio/transcriptions':
        return sendJson(response, transcribe(deps.transcripts, body));
      case '/v1/systemone':
        return sendJson(response, decide(JSON.parse(body.toString('utf8')) as DecisionBody, deps.isTrue));
      default:
        return sendJson(response, { error: 'Not found' }, 404);
    }
  });
}
