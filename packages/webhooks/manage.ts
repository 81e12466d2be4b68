import { DomainError, fieldIssue, limits, newId, type Principal, toIso } from '@errand/platform';
import type { WebhookRoutesDeps } from './deps.ts';
import type { Endpoint } from './endpoint.ts';
import { requireAddress } from './require-address.ts';
import type { NewWebhook, WebhookPatch } from './schema.ts';
import { newSecret } from './secret.ts';
import { changeEndpoint, type EndpointChanges, putEndpoint, queryEndpoints, readEndpoint } from './store.ts';

/** Makes an endpoint of the key. Throws `invalid_request`. */
export async function createEndpoint(
  deps: WebhookRoutesDeps,
  { accountId, keyId }: Principal,
  { url, events, description = '' }: NewWebhook,
): Promise<Endpoint> {
  requireAddress(deps.web, 'url', url);
  const at = toIso(deps.clock());
  const owner = { id: newId('webhook'), accountId, keyId };
  const endpoint = {
    ...owner,
    url,
    events,
    description,
    secret: newSecret(deps, owner.id),
    createdAt: at,
    updatedAt: at,
  };
  for (;;) {
    const slot = freeSlot(await queryEndpoints(deps, { accountId, keyId }));
    if (slot === undefined)
      throw fieldIssue('url', `is one too many: a key may have ${limits.webhooksPerKey} webhooks`);
    if (await putEndpoint(deps, { ...endpoint, slot })) return endpoint;
  }
}

/**
 * A place that no endpoint has, by chance, so that those who create at once seldom want the same. Endpoints of earlier
 * releases have none: each leaves one less.
 */
function freeSlot(endpoints: readonly Endpoint[]): number | undefined {
  if (endpoints.length >= limits.webhooksPerKey) return undefined;
  const taken = new Set(endpoints.map(({ slot }) => slot));
  const unplaced = endpoints.filter(({ slot }) => slot === undefined).length;
  const slots = Array.from({ length: limits.webhooksPerKey - unplaced }, (_, slot) => slot);
  const free = slots.filter((slot) => !taken.has(slot));
  return free[Math.floor(Math.random() * free.length)];
}

/** Throws `not_found`, also for an endpoint of another key. */
export async function getEndpoint(
  deps: WebhookRoutesDeps,
  principal: Principal,
  id: string,
): Promise<Endpoint> {
  const endpoint = await readEndpoint(deps, placeOf(principal, id));
  if (!endpoint) throw new DomainError('not_found');
  return endpoint;
}

/** Throws `not_found` and `invalid_request`. */
export async function updateEndpoint(
  deps: WebhookRoutesDeps,
  principal: Principal,
  id: string,
  { enabled, ...patch }: WebhookPatch,
): Promise<Endpoint> {
  if (patch.url !== undefined) requireAddress(deps.web, 'url', patch.url);
  const at = toIso(deps.clock());
  const { disabled } = await getEndpoint(deps, principal, id);
  const changes: EndpointChanges = { ...patch, updatedAt: at };
  if (enabled === true) Object.assign(changes, { disabled: null, failingSinceMilliseconds: null });
  if (enabled === false && !disabled) changes.disabled = { at, reason: 'owner' };
  return changeEndpoint(deps, placeOf(principal, id), changes);
}

/** Gives the endpoint a new secret. The earlier secret signs too for a day. Throws `not_found`. */
export async function rotateSecret(
  deps: WebhookRoutesDeps,
  principal: Principal,
  id: string,
): Promise<Endpoint> {
  const { secret } = await getEndpoint(deps, principal, id);
  const now = deps.clock();
  return changeEndpoint(deps, placeOf(principal, id), {
    secret: newSecret(deps, id),
    previous: { secret, untilMilliseconds: now + limits.webhookRotationSeconds * 1000 },
    updatedAt: toIso(now),
  });
}

export const placeOf = ({ accountId, keyId }: Principal, id: string) => ({
  accountId,
  keyId,
  id: knownLength(id),
});

/** The store takes no longer key. Throws `not_found`. */
export function knownLength(id: string): string {
  if (id.length > limits.markCharacters) throw new DomainError('not_found');
  return id;
}
