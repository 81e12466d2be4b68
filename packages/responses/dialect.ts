import type { Answering, Dialect } from '@errand/chat';
import { type Clock, parseJson, readJsonText, validate } from '@errand/platform';
import type { Finish } from './answer/finish.ts';
import type { Frame } from './answer/response-object.ts';
import { refusedStream, streamAnswer } from './answer/stream-answer.ts';
import { wholeAnswer } from './answer/whole-answer.ts';
import { newResponseKey } from './ids.ts';
import { refuseFields } from './request/refuse-fields.ts';
import { type Item, type ResponsesRequest, responsesRequest } from './request/schema.ts';
import { toCompletion } from './request/to-completion.ts';

/** OpenAI's Responses, over the models' chat completions. */
export const responsesDialect = (deps: { clock: Clock }): Dialect => ({
  async read(c) {
    const request = validate(responsesRequest, parseJson(await readJsonText(c)));
    refuseFields(request);
    const text = JSON.stringify(toCompletion(request, itemsOf(request)));
    const frame = { key: newResponseKey(), createdAtMilliseconds: deps.clock(), request };
    return { text, answering: answeringOf(frame, async (response) => response) };
  },
});

const itemsOf = ({ input = [] }: ResponsesRequest): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;

const answeringOf = (frame: Frame, finish: Finish): Answering => ({
  renamesLimit: true,
  stream: () => streamAnswer(frame, finish),
  whole: (_, completion) => wholeAnswer(frame, completion, finish),
  refusal: (_, envelope) => refusedStream(frame, envelope),
});
