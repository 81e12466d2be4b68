import type { Answering, ChatDeps, Dialect } from '@errand/chat';
import { completedAt, type Finish, type Frame } from './answer/response-object.ts';
import { refusedStream, streamAnswer } from './answer/stream-answer.ts';
import { wholeAnswer } from './answer/whole-answer.ts';
import { newResponseKey } from './ids.ts';
import { keepResponse } from './kept/keep-response.ts';
import { resolveInput } from './kept/resolve-input.ts';
import type { KeptDeps } from './kept/store.ts';
import { type NativeRequest, nativeBody, nativeBytes } from './native/body.ts';
import { nativeStream } from './native/native-stream.ts';
import { nativeWhole, readNative } from './native/native-whole.ts';
import { checkUnread } from './request/check-unread.ts';
import { hasCustomTools, withFunctions } from './request/custom-tools.ts';
import { refuseFields } from './request/refuse-fields.ts';
import type { ResponsesRequest } from './request/schema.ts';
import { toCompletion } from './request/to-completion.ts';

/** OpenAI's Responses, over the models' chat completions. */
export const responsesDialect = (
  all: KeptDeps & Pick<ChatDeps, 'catalogue'>,
  request: ResponsesRequest,
): Dialect => ({
  async read(c, principal) {
    const ids = { requestId: c.var.requestId, accountId: principal.accountId };
    const deps = { ...all, log: all.log.with(ids) };
    refuseFields(request);
    const conversation = await resolveInput(deps, principal, request);
    const completion = toCompletion(request, conversation);
    const isTaken = hasCustomTools(all.catalogue, request.model);
    const text = JSON.stringify(isTaken ? completion : withFunctions(completion));
    checkUnread(all, { request, input: conversation.own }, text);
    const key = newResponseKey();
    const frame = { key, createdAtMilliseconds: deps.clock(), request };
    const keep = keepResponse(deps, { keyId: principal.keyId, key }, conversation);
    const finish: Finish = (response) => keep(completedAt(deps.clock(), response));
    const input = [...conversation.earlier, ...conversation.own];
    return { text, answering: answeringOf({ ...frame, input }, finish) };
  },
});

interface Asked extends Frame, NativeRequest {}

const answeringOf = (asked: Asked, finish: Finish): Answering => ({
  renamesLimit: true,
  stream: () => streamAnswer(asked, finish),
  whole: (_, completion) => (completion.isNative ? nativeWhole : wholeAnswer)(asked, completion, finish),
  native: {
    api: 'responses',
    path: '/responses',
    input: (completion) => ({
      ...completion,
      sealedBytes: Math.max(0, nativeBytes(asked) - completion.counted.length),
    }),
    body: (request, upstream, outputTokens) => nativeBody(asked, request, { upstream, outputTokens }),
    stream: () => nativeStream(asked, finish),
    read: readNative,
  },
  refusal: (_, envelope) => refusedStream(asked, envelope),
});
