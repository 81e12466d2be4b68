import { checkModel, mayUseModel, type PayingEnv, watchKey } from '@errand/accounts';
import {
  boundEmbedding,
  countEmbedded,
  type EmbeddingRequest,
  embed,
  embeddingWork,
  findModel,
  inputOnly,
  type Model,
  measureImpact,
  priceAt,
  toBase64,
  toNumbers,
  unknownModel,
} from '@errand/models';
import { type CompletionBound, type Credits, openRequestCall } from '@errand/money';
import {
  type Deadline,
  type DeadlineEnv,
  DomainError,
  newUuid,
  type Price,
  type Principal,
  readJson,
  requestLog,
} from '@errand/platform';
import type { Context } from 'hono';
import type * as v from 'valibot';
import type { ChatDeps } from '../deps.ts';
import { toDomainError } from '../failure.ts';
import { CallerLeft, createLeaving, watchLeaving } from '../leaving.ts';
import { breakOff } from '../paid-call.ts';
import { type embeddingList, embeddingRequest } from './schema.ts';

type EmbeddingList = v.InferOutput<typeof embeddingList>;

interface ReadRequest {
  model: Model;
  request: EmbeddingRequest;
  price: Price;
  bound: CompletionBound;
}

/** Answers a request for embeddings: lets it in, asks the model, charges. Throws `DomainError`. */
export async function answerEmbeddings(
  all: ChatDeps,
  c: Context<PayingEnv & DeadlineEnv>,
): Promise<Response> {
  const { door, deadline, principal, requestId } = c.var;
  const deps = { ...all, log: requestLog(c, all.log) };
  watchLeaving(c, createLeaving(deps.accounts, deadline));
  const { credits, ...read } = await door.letInAfter(async () =>
    readRequest(deps, principal, await readJson(c, embeddingRequest)),
  );
  const stopWatching = watchKey(deps.accounts, principal, (end) =>
    deadline.abort(new DomainError('unauthorized', { end })),
  );
  const traceparent = deps.accounts.spans && c.req.header('traceparent');
  const asked = { requestId, keyId: principal.keyId };
  const paid = openCall(deps, read, credits, asked, traceparent);
  try {
    const owner = credits.payer.accountId;
    return c.json(await ask(deps, read, { paid, owner }, deadline));
  } catch (error) {
    breakOff(deps, { paid, credits }, deadline.signal.aborted ? deadline.signal.reason : error);
    // Nobody reads the answer to a caller who has left.
    if (error instanceof CallerLeft) return c.body(null, 500);
    throw error;
  } finally {
    stopWatching();
  }
}

function readRequest(
  { catalogue, clock }: Pick<ChatDeps, 'catalogue' | 'clock'>,
  principal: Principal,
  { model: id, input, ...rest }: v.InferOutput<typeof embeddingRequest>,
): ReadRequest {
  const model = findModel(catalogue, id)?.model;
  if (!model)
    throw unknownModel(
      catalogue,
      id,
      ({ kind }, each) => kind === 'embedding' && mayUseModel(principal, each),
    );
  if (model.kind !== 'embedding') throw new DomainError('model_kind_unsupported', { model: id });
  checkModel(principal, id);
  const { encoding_format, dimensions, user } = rest;
  const request = {
    input,
    encoding_format: encoding_format ?? undefined,
    dimensions: dimensions ?? undefined,
    user: user ?? undefined,
  };
  const price = priceAt(model, clock());
  return { model, request, price, bound: boundEmbedding(price, model, input) };
}

/** Starts to keep what was set aside. The call must be settled or broken off. */
const openCall = (
  deps: ChatDeps,
  { model, request, price, bound }: ReadRequest,
  { payer, reservation }: Credits,
  to: { requestId: string; keyId: string },
  traceparent: string | undefined,
) =>
  openRequestCall(
    { ...deps.accounts, ...deps },
    {
      id: `embedding_${newUuid()}`,
      to: { payer, ...to },
      reservation,
      asked: { kind: 'embedding', model: model.id, traceparent },
      async known(taking) {
        const inputTokens = Math.min(bound.inputTokens, await countEmbedded(model, request.input));
        return embeddingWork({ model: model.id, price, inputTokens }, taking);
      },
    },
  );

/** The embeddings, which are charged by then. */
async function ask(
  deps: ChatDeps,
  { model, request, price, bound }: ReadRequest,
  { paid, owner }: { paid: ReturnType<typeof openCall>; owner: string },
  deadline: Deadline,
): Promise<EmbeddingList> {
  const { taking } = paid;
  void deps.carbonIntensity();
  const made = await embed(deps, model, request, { signal: deadline.signal, taking, owner }).catch(
    (error) => {
      deadline.signal.throwIfAborted();
      throw toDomainError(error);
    },
  );
  const inputTokens =
    made.inputTokens ?? Math.min(bound.inputTokens, await countEmbedded(model, request.input));
  const work = { model: model.id, price, inputTokens };
  paid.learn(async () => embeddingWork(work, taking));
  const { inferenceMilliseconds } = made;
  const impact = await measureImpact(deps, model, { inferenceMilliseconds, usage: inputOnly(inputTokens) });
  deadline.commit();
  await paid.settle(embeddingWork({ ...work, impact }, taking));
  return {
    object: 'list',
    data: made.vectors.map((vector, index) => ({
      object: 'embedding',
      index,
      embedding: request.encoding_format === 'base64' ? toBase64(vector) : toNumbers(vector),
    })),
    model: model.id,
    usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
    impact,
  };
}
