import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type CostBound, type Reservation, reserve, settleCharge } from '@errand/money';
import {
  createAwsClients,
  createLog,
  localCredentials,
  localRegion,
  localTableNames,
  newId,
  type Principal,
  systemClock,
  toIso,
} from '@errand/platform';
import { countRequest, letIn } from './accounts.ts';
import { type CallerLoad, type CallerResult, noResult } from './load.ts';

/** A process that lets requests of accounts in and settles them, as an environment of Lambda does. */
const [, , endpoint = ''] = process.argv;
let result = noResult();
/** By `performance.now`. Calls that end later are not counted as settled. */
let endsAt = 0;

/** An environment has a connection of its own, and joins none of its requests with those of others. */
function createEnvironment() {
  const { dynamodb } = createAwsClients({
    region: localRegion,
    credentials: localCredentials,
    endpoints: { dynamodb: endpoint },
  });
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      result.commands++;
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: 'countCommands' },
  );
  dynamodb.middlewareStack.add(
    (next) => (args) => {
      result.attempts++;
      return next(args);
    },
    { step: 'serialize', priority: 'high', name: 'countAttempts' },
  );
  return { dynamodb, tables: localTableNames, clock: systemClock, log };
}

type Environment = ReturnType<typeof createEnvironment>;
const environments: Environment[] = [];

const log = createLog((line) => {
  if (line.includes('ledger write failed')) result.failedAttempts++;
});
const deferCharge = async () => {
  result.deferred++;
};

const mostNanoEuro = 8_212_000;
const bound: CostBound = { mostNanoEuro, within: async (there) => there };

const chargeOf = ({ accountId, keyId }: Principal, reservation: Reservation | undefined) => ({
  id: newId('chat'),
  at: toIso(systemClock()),
  kind: 'completion' as const,
  payer: { accountId },
  model: 'writer',
  requestId: newId('request'),
  keyId,
  inputTokens: 20,
  outputTokens: 50,
  price: { inputPerMillionTokens: 1, outputPerMillionTokens: 2 },
  upstream: 'models.example/writer',
  energy: 105_000,
  emissions: 7_379,
  amountNanoEuro: 120_000,
  reservation,
});

async function timed<T>(times: (of: CallerResult) => number[], work: Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const done = await work;
  times(result).push(performance.now() - startedAt);
  return done;
}

/** Sets aside for a request. Undefined if it was refused. */
async function open(
  deps: Environment,
  load: CallerLoad,
  principal: Principal,
): Promise<Reservation | undefined> {
  const accounts = { ...deps, rateLimitRequests: load.rateLimitRequests };
  if (load.kind === 'work')
    return (await timed(({ letIn: times }) => times, reserve(accounts, principal, bound))).reservation;
  const { credits } = await timed(({ letIn: times }) => times, letIn(accounts, principal, bound));
  if (!credits) result.refused++;
  return credits?.reservation;
}

async function send(
  deps: Environment,
  { rateLimitRequests }: CallerLoad,
  principal: Principal,
): Promise<void> {
  const counted = countRequest({ ...deps, rateLimitRequests }, principal);
  const { exceeded } = await timed(({ letIn: times }) => times, counted);
  if (exceeded) result.refused++;
}

async function call(deps: Environment, load: CallerLoad, principal: Principal): Promise<void> {
  try {
    if (load.kind === 'requests') return await send(deps, load, principal);
    const reservation = await open(deps, load, principal);
    if (!reservation) return;
    const [least, most] = load.modelMilliseconds;
    if (most > 0) await delay(randomInt(least, most + 1));
    await timed(
      ({ settle }) => settle,
      settleCharge({ ...deps, deferCharge }, chargeOf(principal, reservation)),
    );
    if (performance.now() <= endsAt) result.settled++;
  } catch {
    result.failed++;
  }
}

async function run(load: CallerLoad): Promise<CallerResult> {
  const until = performance.now() + load.warmUpMilliseconds + load.milliseconds;
  endsAt = until;
  const warm = setTimeout(() => {
    result = noResult();
  }, load.warmUpMilliseconds);
  let next = randomInt(load.accountIds.length);
  const principal = (): Principal => {
    next = (next + 1) % load.accountIds.length;
    return { accountId: load.accountIds[next] as string, keyId: 'key_of_the_benchmark' };
  };
  while (environments.length < load.environments) environments.push(createEnvironment());
  const work = async (_: unknown, index: number) => {
    const deps = environments[index % load.environments] as Environment;
    await delay(randomInt(load.modelMilliseconds[1] + 1));
    while (performance.now() < until) await call(deps, load, principal());
  };
  if (load.kind === 'requests') await sendEvenly(load, until, principal);
  else await Promise.all(Array.from({ length: load.atOnce * load.environments }, work));
  clearTimeout(warm);
  return result;
}

/** Begins so many requests a second, whether or not the earlier ones have ended. */
async function sendEvenly(load: CallerLoad, until: number, principal: () => Principal): Promise<void> {
  const startedAt = performance.now();
  let sent = 0;
  for (let now = startedAt; now < until; now = performance.now()) {
    const due = Math.floor(((now - startedAt) / 1000) * load.atOnce);
    for (; sent < due; sent++) void call(environments[0] as Environment, load, principal());
    await delay(5);
  }
}

process.on('message', (load: CallerLoad) => {
  void run(load).then((all) => {
    process.send?.(all);
    result = noResult();
  });
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
