import type { Answering, Dialect } from '@errand/chat';
import type { Clock } from '@errand/platform';
import type { Finish } from './answer/finish.ts';
import type { Frame } from './answer/response-object.ts';
import { refusedStream, streamAnswer } from './answer/stream-answer.ts';
import { wholeAnswer } from './answer/whole-answer.ts';
import { newResponseKey } from './ids.ts';
import { nativeBody } from './native/body.ts';
import { nativeStream } from './native/native-stream.ts';
import { nativeWhole, readNative } from './native/native-whole.ts';
import { refuseFields } from './request/refuse-fields.ts';
import type { Item, ResponsesRequest } from './request/schema.ts';
import { toCompletion } from './request/to-completion.ts';

/** OpenAI's Responses, over the models' chat completions. */
export const responsesDialect = (deps: { clock: Clock }, request: ResponsesRequest): Dialect => ({
  async read() {
    refuseFields(request);
    const input = itemsOf(request);
    const text = JSON.stringify(toCompletion(request, input));
    const frame = { key: newResponseKey(), createdAtMilliseconds: deps.clock(), request };
    return { text, answering: answeringOf({ ...frame, input }, async (response) => response) };
  },
});

const itemsOf = ({ input = [] }: ResponsesRequest): readonly Item[] =>
  typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : input;

interface Asked extends Frame {
  /** The items of the request, with those that came before it. */
  input: readonly Item[];
}

const answeringOf = (asked: Asked, finish: Finish): Answering => ({
  renamesLimit: true,
  stream: () => streamAnswer(asked, finish),
  whole: (_, completion) => (completion.isNative ? nativeWhole : wholeAnswer)(asked, completion, finish),
  native: {
    path: '/responses',
    body: (request, upstream, outputTokens) => nativeBody(asked, request, { upstream, outputTokens }),
    stream: () => nativeStream(asked, finish),
    read: readNative,
  },
  refusal: (_, envelope) => refusedStream(asked, envelope),
});
