import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { findModel } from './models.ts';
import { readBody, sendJson, WireError } from './wire/http.ts';
import { estimateTokens, meaningfulWords } from './words.ts';

interface EmbeddingRequest {
  model: string;
  /** Numbers of tokens count as words. */
  input: string | (string | number | number[])[];
  encoding_format?: 'float' | 'base64';
}

/** Vectors of texts that share words point alike: a hash stands for each word, and nothing for what it means. */
export async function handleEmbeddings(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { model, input, encoding_format } = JSON.parse(await readBody(request)) as EmbeddingRequest;
  if (findModel(model, ['embedding']) === undefined)
    throw new WireError(404, `The model '${model}' does not exist`, 'model', 'model_not_found');
  const isList = Array.isArray(input) && typeof input[0] !== 'number';
  const texts = (isList ? input : [input]).map((text) => [text].flat().join(' '));
  const data = texts.map((text, index) => {
    const vector = vectorOf(text);
    const embedding =
      encoding_format === 'base64' ? Buffer.from(new Float32Array(vector).buffer).toString('base64') : vector;
    return { object: 'embedding', index, embedding };
  });
  const tokens = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const usage = { prompt_tokens: tokens, total_tokens: tokens };
  sendJson(response, 200, { object: 'list', data, model, usage });
}

const dimensions = 256;

/** Of length 1. */
function vectorOf(text: string): number[] {
  const vector = Array<number>(dimensions).fill(0);
  for (const word of meaningfulWords(text)) {
    const [place = 0, sign = 0] = createHash('sha256').update(word).digest();
    vector[place] = vector[place]! + (sign % 2 === 0 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  return length === 0 ? vector.with(0, 1) : vector.map((number) => number / length);
}
