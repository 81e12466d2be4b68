import { isDomainError, limits, toIso } from '@errand/platform';
import type { Delivery } from '../delivery.ts';
import type { SenderDeps } from '../deps.ts';
import type { DisabledReason, Endpoint } from '../endpoint.ts';
import { testEvent } from '../event-types.ts';
import { changeEndpoint, type EndpointChanges } from '../store.ts';

/** What became of an attempt. */
export interface Outcome {
  isDelivered: boolean;
  answer?: { status: number; body: string };
  /** Why there was no answer. */
  error?: string;
}

/** A last attempt comes this much earlier after the first failure than after the beginning of its delivery. */
const graceMilliseconds = 60_000;

/** Logs an attempt, and notes on the endpoint since when its deliveries fail, and that it is switched off for that. */
export async function noteOutcome(
  deps: SenderDeps,
  endpoint: Endpoint,
  { id, type, attempts, url }: Delivery,
  { isDelivered, answer, error }: Outcome,
): Promise<void> {
  deps.log.info('webhook sent', {
    accountId: endpoint.accountId,
    endpointId: endpoint.id,
    deliveryId: id,
    type,
    attempt: attempts + 1,
    outcome: isDelivered ? 'delivered' : 'failed',
    ...(answer && { status: answer.status }),
    ...(error !== undefined && { error }),
  });
  // A delivery to a run's own address, and a test, say nothing about the endpoint.
  if (url !== undefined || type === testEvent) return;
  const changes = changesOf(deps, endpoint, isDelivered, answer?.status);
  if (!changes) return;
  if (changes.disabled)
    deps.log.warn('webhook endpoint switched off', {
      accountId: endpoint.accountId,
      endpointId: endpoint.id,
      reason: changes.disabled.reason,
    });
  try {
    await changeEndpoint(deps, endpoint, changes);
  } catch (problem) {
    // Its owner has deleted it meanwhile.
    if (!isDomainError(problem, 'not_found')) throw problem;
  }
}

function changesOf(
  { clock }: SenderDeps,
  { failingSinceMilliseconds: since }: Endpoint,
  isDelivered: boolean,
  status: number | undefined,
): EndpointChanges | undefined {
  const now = clock();
  if (isDelivered) return since === undefined ? undefined : { failingSinceMilliseconds: null };
  const off = (reason: DisabledReason) => ({ disabled: { at: toIso(now), reason }, updatedAt: toIso(now) });
  if (status === 410) return off('gone');
  if (since === undefined) return { failingSinceMilliseconds: now };
  const isLong = now - since >= limits.webhookAttemptsSeconds * 1000 - graceMilliseconds;
  return isLong ? off('failing') : undefined;
}
