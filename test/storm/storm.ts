import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { delay } from '@errand/platform';
import { simpleCatalogue } from '../support/service.ts';
import { type Receiver, startReceiver, wordOf } from '../webhooks/support/receiver.ts';
import {
  approveAgain,
  ask,
  type Caller,
  chat,
  type FollowedRun,
  storeAgent,
  streamChat,
  subscribe,
  type Usage,
} from './callers.ts';
import { startDesk } from './desk.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { firstBody, secondRun, stormAgent, workOf } from './mix.ts';
import { type StormProvider, startStormProvider } from './provider.ts';
import { type Reckoning, reckon } from './reckon.ts';

export interface Weather {
  fleet: Fleet;
  provider: StormProvider;
  dataDir: string;
}

interface StormOptions {
  runs: number;
  accounts: number;
  /** Chats of each kind that go on at the same time, one after the other, until all runs are done. */
  chatters: number;
  /** The time between two chats of one of them. Default: none. */
  pauseMilliseconds?: number;
  leaseSeconds: number;
  /** The time from the last fault until what is not done counts as stuck. */
  patienceMilliseconds: number;
  /** Where the data folder is made. */
  folder?: string;
  /** Does what is done to the service, from its start on. */
  blow(weather: Weather): Promise<void>;
}

export interface StormReport extends Reckoning {
  /** Runs whose tool acted more than once. */
  orderedTwice: string[];
  /** Runs whose tool acted, though they were to ask before and did not. */
  unasked: string[];
  /** Runs whose tool acted. */
  orders: number;
  /** Ended runs of whose end no webhook told. */
  untold: string[];
  ends: Record<string, number>;
  strayLines: string[];
  /** Log lines of charges that could not be kept: a process that was killed on a full disk had them alone. */
  lostCharges: string[];
  seconds: number;
}

const firstByteSeconds = 3;
const tellMilliseconds = 60_000;
/** A delivery whose sender was killed three times waits five minutes for its next attempt. */
const toldMilliseconds = 400_000;

interface Account {
  accountId: string;
  key: string;
}

/** Lets runs and chats go on while the service is treated badly, and counts what was lost or doubled. */
export async function runStorm(options: StormOptions): Promise<StormReport> {
  const startedAt = performance.now();
  const provider = await startStormProvider();
  const dataDir = await mkdtemp(path.join(options.folder ?? tmpdir(), 'errand-storm-'));
  const catalogue = path.join(dataDir, 'catalogue.json');
  await writeFile(catalogue, JSON.stringify(catalogueOf(provider)));
  const desk = await startDesk();
  const receiver = await startReceiver();
  // Each of the first messages is refused once, and sent again.
  const refused = new Set<unknown>();
  receiver.answer((response, { headers }) => {
    const id = headers['webhook-id'];
    const refuses = refused.size < options.runs / 8 && !refused.has(id);
    if (refuses) refused.add(id);
    response.writeHead(refuses ? 503 : 200).end();
  });
  const env = {
    DATA_DIR: dataDir,
    MODEL_CATALOGUE: catalogue,
    RUN_LEASE_SECONDS: String(options.leaseSeconds),
    FETCH_ALLOWED_HOSTS: [desk.host, receiver.host].join(),
  };
  const fleet = startFleet(env, ['aws', 'api', 'api', 'worker', 'worker']);
  try {
    await fleet.whole();
    const accounts: Account[] = [];
    for (let i = 0; i < options.accounts; i++) accounts.push(await openAccount(fleet, `storm-${i}`));
    const giveUp = new AbortController();
    const callers = accounts.map(
      ({ key }): Caller => ({ fleet, key, deskUrl: desk.url, signal: giveUp.signal }),
    );
    for (const caller of callers) {
      await subscribe(caller, receiver.url);
      await storeAgent(caller, stormAgent);
    }
    const work = startWork(options, callers, giveUp);
    await options.blow({ fleet, provider, dataDir });
    await work.end(options.patienceMilliseconds);
    // A message that waits for its next attempt when the clock goes back waits until the clock is there again.
    await fleet.setClock(0);
    await fleet.whole();
    await chargesWritten(dataDir);
    const reckoning = await reckon(fleet, accounts, work);
    return {
      ...reckoning,
      orderedTwice: [...desk.orders].flatMap(([label, times]) => (times > 1 ? label : [])),
      unasked: work.runs.flatMap(({ label, events }) =>
        desk.orders.has(label) && workOf(label).asks && events.at(-1)?.type === 'done' ? label : [],
      ),
      orders: desk.orders.size,
      untold: await untoldOf(work.runs, receiver),
      ends: Object.fromEntries([...fleet.ends].sort()),
      strayLines: fleet.strayLines,
      lostCharges: fleet.lostCharges,
      seconds: Math.round((performance.now() - startedAt) / 1000),
    };
  } finally {
    await fleet.stop();
    await Promise.all([provider.close(), desk.close(), receiver.close()]);
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Resolves when the charges that could not be written at once are in the ledgers. Those that never are will be missing. */
async function chargesWritten(dataDir: string): Promise<void> {
  const until = performance.now() + tellMilliseconds;
  const kept = async () => {
    const names = await readdir(path.join(dataDir, 'charges')).catch(() => []);
    return names.some((name) => name.endsWith('.json'));
  };
  while (performance.now() < until && (await kept())) await delay(500);
}

async function openAccount(fleet: Fleet, name: string): Promise<Account> {
  const { accountId } = await fleet.admin<Account>('account', 'create', '--name', name, '--credits', '1000');
  const { key } = await fleet.admin<Account>('key', 'create', '--account', accountId);
  return { accountId, key };
}

/** The model's first upstream may hang. */
function catalogueOf({ baseUrl, fallbackUrl }: StormProvider) {
  const catalogue = simpleCatalogue(baseUrl);
  const [writer, ...others] = catalogue.models;
  const upstream = { baseUrl: fallbackUrl, model: 'fallback-writer' };
  return { ...catalogue, models: [{ ...writer, fallbacks: [upstream], firstByteSeconds }, ...others] };
}

/** Waits for messages that are on their way. */
async function untoldOf(runs: readonly FollowedRun[], { received }: Receiver): Promise<string[]> {
  for (const end = performance.now() + toldMilliseconds; ; await delay(1_000)) {
    const told = new Set(received.map((one) => String(wordOf(one).data.agentId)));
    const untold = runs.filter(({ agentId }) => agentId !== undefined && !told.has(agentId));
    if (untold.length === 0 || performance.now() > end) return untold.map(({ label }) => label);
  }
}

/** Asks for a run, and for the run that goes on from it unless it failed, which it adds to all runs. */
async function converse(caller: Caller, run: FollowedRun, all: FollowedRun[]): Promise<void> {
  await ask(caller, run, firstBody(run.label, caller.deskUrl));
  if (run.events.at(-1)?.type === 'error') return;
  const next = secondRun(run, caller.deskUrl);
  if (!next) return;
  all.push(next.run);
  await ask(caller, next.run, next.body);
  if ('approvals' in next.body) await approveAgain(caller, next.body);
}

function startWork(options: StormOptions, callers: readonly Caller[], giveUp: AbortController) {
  const runs = Array.from({ length: options.runs }, (_, i): FollowedRun => ({ label: `n${i}`, events: [] }));
  const usages: NonNullable<Usage>[] = [];
  let broken = 0;
  let finished = false;
  let chats = 0;
  const asked = runs.map((run, i) => converse(callers[i % callers.length]!, run, runs).catch(() => {}));
  const goOnChatting = async (caller: Caller, talk: typeof chat) => {
    while (!finished) {
      const usage = await talk(caller, ++chats).catch(() => undefined);
      if (usage) usages.push(usage);
      else broken++;
      await delay(usage ? (options.pauseMilliseconds ?? 0) : 100);
    }
  };
  const chatters = Array.from({ length: options.chatters }, (_, i) => {
    const caller = callers[i % callers.length]!;
    return [goOnChatting(caller, chat), goOnChatting(caller, streamChat)];
  }).flat();
  return {
    runs,
    usages,
    broken: () => broken,
    async end(patienceMilliseconds: number): Promise<void> {
      const timer = setTimeout(() => giveUp.abort(), patienceMilliseconds);
      await Promise.all(asked);
      finished = true;
      await Promise.all(chatters);
      clearTimeout(timer);
    },
  };
}
