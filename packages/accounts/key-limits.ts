import { DomainError, type KeyEnd, type KeyLimits, type Principal, type RouteFamily } from '@errand/platform';

/** True if the key has expired. The key expires at the instant `expiresAt`. */
export const isExpired = (keyLimits: KeyLimits | undefined, nowMilliseconds: number): boolean =>
  keyLimits?.expiresAt !== undefined && nowMilliseconds >= Date.parse(keyLimits.expiresAt);

/** What a key's item says of whether the key works. */
export interface KeyStanding {
  revokedAt?: string;
  frozenAt?: string;
  limits?: KeyLimits;
}

/** Undefined while the key works. */
export function endOf(key: KeyStanding, nowMilliseconds: number): KeyEnd | undefined {
  if (key.revokedAt !== undefined) return 'revoked';
  if (key.frozenAt !== undefined) return 'frozen';
  return isExpired(key.limits, nowMilliseconds) ? 'expired' : undefined;
}

export const mayUse = ({ limits }: Principal, route: RouteFamily): boolean =>
  limits?.routes?.includes(route) ?? true;

/** Throws `route_forbidden` if the key may not use the family of routes. */
export function checkRoute(principal: Principal, route: RouteFamily): void {
  if (!mayUse(principal, route)) throw new DomainError('route_forbidden', { route });
}

/** Whether the key may use the model by this id. `baseId` is that of the model whose variant it is. */
export const mayUseModel = ({ limits }: Principal, modelId: string, baseId: string = modelId): boolean =>
  limits?.models ? limits.models.includes(modelId) || limits.models.includes(baseId) : true;

/**
 * Throws `model_forbidden` if the key may not use the model. A key may use a variant if it may use the variant's id
 * or its base's id. For a model that is not a variant, `baseId` is the model's own id.
 */
export function checkModel(principal: Principal, modelId: string, baseId?: string): void {
  if (!mayUseModel(principal, modelId, baseId)) throw new DomainError('model_forbidden', { model: modelId });
}

/** Whether the key may start runs by the agent of this name. `default` is the service's own. */
export const mayUseAgent = ({ limits }: Principal, name: string): boolean =>
  limits?.agents?.includes(name) ?? true;

/** Throws `agent_forbidden` if the key is bound to other agents. */
export function checkAgent(principal: Principal, name: string): void {
  if (!mayUseAgent(principal, name)) throw new DomainError('agent_forbidden', { agent: name });
}

/** Throws `model_forbidden` for the first model that the key may not use. */
export function checkModels(principal: Principal, modelIds: readonly string[]): void {
  for (const modelId of modelIds) checkModel(principal, modelId);
}
