import type { Answering, Dialect } from '@errand/chat';
import { parseJson, readJsonText, validate } from '@errand/platform';
import type { Finish } from './answer/finish.ts';
import type { Frame } from './answer/response-object.ts';
import { refusedStream, streamAnswer } from './answer/stream-answer.ts';
import { wholeAnswer } from './answer/whole-answer.ts';
import { newResponseKey } from './ids.ts';
import { keepResponse } from './kept/keep-response.ts';
import { resolveInput } from './kept/resolve-input.ts';
import type { KeptDeps } from './kept/store.ts';
import { refuseFields } from './request/refuse-fields.ts';
import { responsesRequest } from './request/schema.ts';
import { toCompletion } from './request/to-completion.ts';

/** OpenAI's Responses, over the models' chat completions. */
export const responsesDialect = (all: KeptDeps): Dialect => ({
  async read(c, principal) {
    const ids = { requestId: c.var.requestId, accountId: principal.accountId };
    const deps = { ...all, log: all.log.with(ids) };
    const request = validate(responsesRequest, parseJson(await readJsonText(c)));
    refuseFields(request);
    const conversation = await resolveInput(deps, principal, request);
    const text = JSON.stringify(toCompletion(request, conversation));
    const key = newResponseKey();
    const frame = { key, createdAtMilliseconds: deps.clock(), request };
    const finish = keepResponse(deps, { keyId: principal.keyId, key }, conversation);
    return { text, answering: answeringOf(frame, finish) };
  },
});

const answeringOf = (frame: Frame, finish: Finish): Answering => ({
  renamesLimit: true,
  stream: () => streamAnswer(frame, finish),
  whole: (_, completion) => wholeAnswer(frame, completion, finish),
  refusal: (_, envelope) => refusedStream(frame, envelope),
});
