import type { IncomingMessage, ServerResponse } from 'node:http';
import { type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { readBody, sendJson, sendJsonText } from '../wire/http.ts';
import { estimateTokens } from '../words.ts';
import { answerQuestion } from './answer.ts';
import { parseSystemOne, SystemOneError } from './request.ts';

export async function handleSystemOne(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await readBody(request);
  try {
    sendJsonText(response, 200, stringifyOrderedJson(decide(text)));
  } catch (error) {
    if (!(error instanceof SystemOneError)) throw error;
    const { message, status, code } = error;
    sendJson(response, status, code === undefined ? { error: message } : { error: message, code });
  }
}

function decide(text: string): OrderedJson {
  const { model, state, questions } = parseSystemOne(text);
  const answers = new Map(questions.map((question) => [question.id, answerQuestion(state, question)]));
  const usage = new Map([
    ['input_tokens', estimateTokens(text)],
    ['output_tokens', 0],
  ]);
  return new Map<string, OrderedJson>([
    ['model', model],
    ['answers', answers],
    ['usage', usage],
  ]);
}
