import { limits, SealBroken, toIso, toSeconds } from '@errand/platform';
import { FetchError, guardedPost } from '@errand/web';
import { changeDelivery, readDelivery } from '../deliveries-store.ts';
import type { Delivery } from '../delivery.ts';
import type { SenderDeps } from '../deps.ts';
import { type Endpoint, secretsOf } from '../endpoint.ts';
import { testEvent } from '../event-types.ts';
import { type QueuedAttempt, queueAttempt } from '../queue.ts';
import { openSecret, signedHeaders } from '../secret.ts';
import { readEndpoint } from '../store.ts';
import { noteOutcome, type Outcome } from './note-outcome.ts';
import { nextAttempt, nextTurn } from './pauses.ts';
import { beginAttempt } from './under-way.ts';
import { attemptOf } from './write-delivery.ts';

/** SQS counts delays in whole seconds. */
const earlyMilliseconds = 1_000;

/** An attempt may be due before the one in front of it is recorded. */
const unrecordedMilliseconds = 60_000;

/** Makes an attempt that is due, and records it. An attempt that is not due is queued again; a repeated one is dropped. */
export async function makeAttempt(deps: SenderDeps, queued: QueuedAttempt): Promise<void> {
  const { endpoint: place, deliveryId, attempt, notBeforeMilliseconds } = queued;
  if (deps.clock() < notBeforeMilliseconds - earlyMilliseconds) return queueAttempt(deps, queued);
  const [delivery, endpoint] = await Promise.all([
    readDelivery(deps, place.id, deliveryId),
    readEndpoint(deps, place),
  ]);
  if (!endpoint || delivery?.status !== 'pending' || delivery.attempts > attempt) return;
  if (delivery.attempts < attempt)
    return queueAttempt(deps, { ...queued, notBeforeMilliseconds: deps.clock() + unrecordedMilliseconds });
  if (endpoint.disabled && delivery.url === undefined && delivery.type !== testEvent) {
    await end(deps, delivery, 'failed', { isDelivered: false, error: 'The endpoint is switched off.' });
    return;
  }
  const finish = await beginAttempt(deps, place.accountId, delivery.url ?? endpoint.url);
  if (!finish) return waitForRoom(deps, queued, delivery);
  const outcome = await post(deps, endpoint, delivery).finally(finish);
  await record(deps, delivery, outcome);
  await noteOutcome(deps, endpoint, delivery, outcome);
}

/** Queues an attempt again that would be one too many at once, for longer the longer it has waited. */
function waitForRoom(deps: SenderDeps, queued: QueuedAttempt, delivery: Delivery): Promise<void> {
  const now = deps.clock();
  const notBeforeMilliseconds = nextTurn(delivery.nextAttemptMilliseconds ?? now, now);
  return queueAttempt(deps, { ...queued, notBeforeMilliseconds });
}

async function post(deps: SenderDeps, endpoint: Endpoint, delivery: Delivery): Promise<Outcome> {
  const now = deps.clock();
  const { body, messageId: id } = delivery;
  const secrets = openSecrets(deps, endpoint, now);
  if (secrets.length === 0) return { isDelivered: false, error: secretLost };
  const signed = signedHeaders(secrets, { id, timestampSeconds: toSeconds(now), body });
  try {
    const { status, body: answered } = await guardedPost(deps.web, {
      url: delivery.url ?? endpoint.url,
      headers: { 'content-type': 'application/json', 'user-agent': 'Errand-Webhooks/1', ...signed },
      body,
      totalMilliseconds: deps.receiverMilliseconds ?? limits.webhookMilliseconds,
      answerBytes: limits.webhookAnswerBytes,
      signal: deps.stopping,
    });
    const answer = { status, body: answered.toString() };
    return { isDelivered: status >= 200 && status <= 299, answer };
  } catch (error) {
    if (!(error instanceof FetchError) || error.code === 'aborted') throw error;
    return { isDelivered: false, error: error.message };
  }
}

const secretLost = 'The secret of this webhook cannot be read any more: rotate it.';

/** Without those that cannot be decrypted any more. */
const openSecrets = (deps: SenderDeps, endpoint: Endpoint, now: number): string[] =>
  secretsOf(endpoint, now).flatMap((secret) => {
    try {
      return [openSecret(deps, endpoint.id, secret)];
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
      deps.log.error('webhook secret unreadable', { endpointId: endpoint.id, problem: error.message });
      return [];
    }
  });

/**
 * The next attempt is queued before this attempt is recorded, so that the delivery goes on if the process dies in
 * between. If an attempt was queued twice, the first process to get it makes it.
 */
async function record(deps: SenderDeps, delivery: Delivery, outcome: Outcome): Promise<void> {
  if (outcome.isDelivered) return end(deps, delivery, 'succeeded', outcome);
  const isOver = outcome.answer?.status === 410 || delivery.type === testEvent;
  const next = isOver ? undefined : nextAttempt(delivery, deps.clock());
  if (next === undefined) return end(deps, delivery, 'failed', outcome);
  const attempts = delivery.attempts + 1;
  await queueAttempt(deps, attemptOf({ ...delivery, attempts }, next));
  await changeDelivery(deps, delivery, {
    ...changesOf(deps, delivery, outcome),
    status: 'pending',
    nextAttemptMilliseconds: next,
  });
}

async function end(
  deps: SenderDeps,
  delivery: Delivery,
  status: 'succeeded' | 'failed',
  outcome: Outcome,
): Promise<void> {
  await changeDelivery(deps, delivery, {
    ...changesOf(deps, delivery, outcome),
    status,
    nextAttemptMilliseconds: undefined,
  });
}

const changesOf = ({ clock }: SenderDeps, { attempts }: Delivery, { answer, error }: Outcome) => ({
  attempts: attempts + 1,
  lastAttemptAt: toIso(clock()),
  answer,
  error,
});
