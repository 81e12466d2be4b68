import type { KeyChanges } from '@errand/accounts';
import { readAgentReference } from '@errand/agents';
import { formatEuro } from '@errand/money';
import { budgetPeriods, type KeyLimits, limits, modelId, routeFamilies } from '@errand/platform';
import * as v from 'valibot';
import type { Values } from '../command.ts';
import { Refusal, UsageError } from '../refusal.ts';
import { readCount, readInstant, readList, readSpending, readWord } from '../values.ts';

/** The limits of a key, apart from `--operator`. Each is a text, so that `none` can take it away. */
export const limitOptions = [
  '[--expires <2027-01-01>]',
  '[--budget <5.00>]',
  '[--period <day|week|month|total>]',
  '[--models <a,b>]',
  '[--agents <a,b>]',
  '[--routes <chat,runs>]',
  '[--rate <100>]',
] as const;

type LimitValues = Values<(typeof limitOptions)[number]>;

const isNone = (text: string | undefined) => text === '' || text === 'none';

/** Throws `UsageError` for a period without a budget. */
export function checkLimits({ budget, period }: LimitValues): void {
  if (period !== undefined && (budget === undefined || isNone(budget)))
    throw new UsageError('--period needs a --budget');
}

/** The limits that the options change. An option that is empty or `none` removes its limit. Throws `Refusal`. */
export function readLimits({
  expires,
  budget,
  period,
  models,
  agents,
  routes,
  rate,
}: LimitValues): KeyChanges {
  return {
    ...changeOf('expiresAt', expires, (text) => readInstant('expires', text)),
    ...changeOf('budget', budget, (text) => ({
      amountNanoEuro: readSpending('budget', text),
      ...(period !== undefined && { period: readWord('period', period, budgetPeriods) }),
    })),
    ...changeOf('models', models, readModels),
    ...changeOf('agents', agents, readAgents),
    ...changeOf('routes', routes, (text) =>
      readList('routes', text).map((route) => readWord('routes', route, routeFamilies)),
    ),
    ...changeOf('rate', rate, (text) => readCount('rate', text, limits.keyRateRequests)),
  };
}

const changeOf = <Limit extends keyof KeyChanges>(
  limit: Limit,
  text: string | undefined,
  read: (text: string) => KeyChanges[Limit],
): Pick<KeyChanges, Limit> | object =>
  text === undefined ? {} : { [limit]: isNone(text) ? null : read(text) };

/** The catalogue is the stage's own, so an id is only looked at for its form. */
function readModels(text: string): string[] {
  const models = readList('models', text);
  if (models.length > limits.keyModels)
    throw new Refusal(`--models may have ${limits.keyModels} ids; these are ${models.length}`);
  const wrong = models.find((model) => !v.is(v.pipe(v.string(), modelId), model));
  if (wrong !== undefined)
    throw new Refusal(`--models: ${JSON.stringify(wrong)} cannot be the id of a model`);
  return models;
}

/** Agents come and go, so a name is only looked at for its form. A version cannot be named. */
function readAgents(text: string): string[] {
  const agents = readList('agents', text);
  if (agents.length > limits.keyAgents)
    throw new Refusal(`--agents may have ${limits.keyAgents} names; these are ${agents.length}`);
  const wrong = agents.find((agent) => readAgentReference(agent)?.name !== agent);
  if (wrong !== undefined)
    throw new Refusal(`--agents: ${JSON.stringify(wrong)} cannot be the name of an agent`);
  return agents;
}

/** A key's limits under the names of their options. Limits that the key does not have are absent. */
export const describeLimits = ({
  expiresAt,
  budget,
  models,
  agents,
  routes,
  rate,
  isOperator,
}: KeyLimits = {}) => ({
  expires: expiresAt,
  ...(budget && { budget: formatEuro(budget.amountNanoEuro), period: budget.period }),
  models,
  agents,
  routes,
  rate,
  operator: isOperator || undefined,
});

export function limitWords(keyLimits: KeyLimits | undefined): string[] {
  const { expires, budget, period, models, agents, routes, rate, operator } = describeLimits(keyLimits);
  return [
    expires && `expires ${expires}`,
    budget && `budget ${budget} EUR ${period}`,
    models && `models ${models.join(',')}`,
    agents && `agents ${agents.join(',')}`,
    routes && `routes ${routes.join(',')}`,
    rate && `rate ${rate}`,
    operator && 'operator',
  ].filter((word) => typeof word === 'string');
}
