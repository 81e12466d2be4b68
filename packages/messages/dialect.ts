import type { Answering, ChatDeps, Dialect } from '@errand/chat';
import { pingText, refusedStream, streamAnswer } from './answer/stream-answer.ts';
import { wholeAnswer } from './answer/whole-answer.ts';
import { nativeAnswering } from './native/native.ts';
import { nativeWhole } from './native/native-whole.ts';
import { readMessagesRequest } from './request/read-request.ts';
import { toCompletion } from './request/to-completion.ts';
import type { Asked } from './wire.ts';

/** Anthropic's Messages, over the models' chat completions. */
export const messagesDialect = (deps: Pick<ChatDeps, 'catalogue'>): Dialect => ({
  async read(c) {
    const asked = await readMessagesRequest(deps, c);
    return { text: JSON.stringify(toCompletion(deps, asked)), answering: answeringOf(asked) };
  },
});

const answeringOf = (asked: Asked): Answering => ({
  renamesLimit: true,
  keepAlive: pingText,
  stream: () => streamAnswer(asked),
  whole: async (_, completion) =>
    completion.isNative ? nativeWhole(asked, completion) : wholeAnswer(asked, completion),
  native: nativeAnswering(asked),
  thinking: asked.request.thinking,
  refusal: (_, envelope) => refusedStream(asked, envelope),
});
