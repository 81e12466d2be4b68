import { type Agenda, createAgenda } from './agenda.ts';

/** How a queue's runs come into invocations. */
export interface Plan {
  /** The runs of an invocation at most. */
  places: number;
  invocations: number;
  /** What an invocation begins with at most. */
  batch: number;
  /** Whether an invocation with free places receives further runs by itself. */
  receives: boolean;
  /** Whether the last run that is left of several is handed on when its invocation takes no more. */
  handsOnLast: boolean;
}

export interface Traffic {
  /** The length of each run, in seconds. */
  lengths: readonly number[];
  /** On average; runs come at random. */
  runsPerSecond: number;
  random(): number;
}

export interface Outcome {
  runs: number;
  /** Of invocations, from the start of each to its end. */
  billedSeconds: number;
  /** Of runs, in all invocations together. */
  workedSeconds: number;
  /** Of runs, in the queue. */
  waitedSeconds: number;
  invocations: number;
  coldStarts: number;
  /** Requests to the queue that invocations make to receive. */
  receives: number;
  handedOn: number;
  /** From the first arrival to the last end. */
  seconds: number;
}

/** The worker's times, of packages/platform/limits.ts and packages/runs/worker/sqs-handler.ts. */
export interface Times {
  /** After its start, an invocation takes no further run. */
  takeSeconds: number;
  /** After its start, it hands on all runs. */
  handOnSeconds: number;
  /** A receive waits so long at most. The last one of an invocation is waited for. */
  receiveSeconds: number;
}

/** A run that is to be handed on goes on to its next commit. They are at most so far apart. */
const commitSeconds = 10;
const coldStartSeconds = 1;
/** An environment that had no invocation for so long is gone. AWS promises no time. */
const keptSeconds = 600;
/** The mapping's requests that wait for messages at the same time, and the most that one of them brings. */
const pollers = 5;
const mostReceived = 10;

interface Run {
  leftSeconds: number;
  queuedAt: number;
  /** When it began where it is. */
  begunAt: number;
  /** Counts its places, so that what is due for an earlier one is known to be void. */
  turn: number;
}

interface Invocation {
  startedAt: number;
  runs: Set<Run>;
  hadSeveral: boolean;
  /** When its last receive ends, if it has no run. */
  closesAt: number | undefined;
  /** Its place among those that receive. */
  seat: number | undefined;
}

type Due =
  | { kind: 'arrive'; run: Run }
  | { kind: 'end' | 'leave'; run: Run; turn: number; of: Invocation }
  | { kind: 'take no more' | 'hand on' | 'close'; of: Invocation };

interface World {
  plan: Plan;
  times: Times;
  random(): number;
  now: number;
  agenda: Agenda<Due>;
  queue: Run[];
  open: Set<Invocation>;
  /** Those with free places that receive, in no order. */
  receiving: Invocation[];
  /** Until when each environment that is free is kept, the latest last. */
  keptUntil: number[];
  sum: Outcome;
}

/** Runs through a queue, its event source mapping and invocations. The same input has the same outcome. */
export function simulate(plan: Plan, { lengths, runsPerSecond, random }: Traffic, times: Times): Outcome {
  const world: World = {
    ...{ plan, times, random, now: 0, agenda: createAgenda<Due>(), queue: [], open: new Set() },
    ...{ receiving: [], keptUntil: [], sum: nothing(lengths.length) },
  };
  let arrivesAt = 0;
  for (const leftSeconds of lengths) {
    const run: Run = { leftSeconds, queuedAt: arrivesAt, begunAt: 0, turn: 0 };
    world.agenda.add(arrivesAt, { kind: 'arrive', run });
    arrivesAt -= Math.log(1 - random()) / runsPerSecond;
  }
  for (let due = world.agenda.next(); due; due = world.agenda.next()) {
    world.now = due.at;
    happen(world, due.what);
  }
  world.sum.seconds = world.now;
  return world.sum;
}

const nothing = (runs: number): Outcome => ({
  ...{ runs, billedSeconds: 0, workedSeconds: 0, waitedSeconds: 0, invocations: 0 },
  ...{ coldStarts: 0, receives: 0, handedOn: 0, seconds: 0 },
});

function happen(world: World, due: Due): void {
  switch (due.kind) {
    case 'arrive':
      enqueue(world, due.run);
      break;
    case 'end':
    case 'leave':
      if (due.run.turn === due.turn && due.of.runs.has(due.run)) stopRun(world, due.of, due.run, due.kind);
      break;
    case 'close':
      if (due.of.closesAt === world.now) close(world, due.of);
      break;
    case 'take no more':
      stand(world, due.of);
      if (world.open.has(due.of)) handOnTheLast(world, due.of);
      break;
    case 'hand on':
      if (world.open.has(due.of)) for (const run of due.of.runs) leaveSoon(world, due.of, run);
  }
}

/** Whoever waits for messages may get this one: the mapping's requests, or an invocation's. */
function enqueue(world: World, run: Run): void {
  run.queuedAt = world.now;
  world.queue.push(run);
  const ofMapping = world.open.size < world.plan.invocations ? pollers : 0;
  const waiting = ofMapping + world.receiving.length;
  if (waiting === 0) return;
  const one = Math.floor(world.random() * waiting);
  if (one < ofMapping) start(world);
  else fill(world, world.receiving[one - ofMapping]!);
}

/** An invocation with what one receive brings. */
function start(world: World): void {
  const { plan, times, now, keptUntil, sum } = world;
  const free = keptUntil.pop();
  const isCold = free === undefined || free < now;
  if (isCold) sum.coldStarts++;
  sum.invocations++;
  const of: Invocation = {
    startedAt: now,
    runs: new Set(),
    hadSeveral: false,
    closesAt: undefined,
    seat: undefined,
  };
  world.open.add(of);
  world.agenda.add(now + times.takeSeconds, { kind: 'take no more', of });
  world.agenda.add(now + times.handOnSeconds, { kind: 'hand on', of });
  for (const run of world.queue.splice(0, Math.min(plan.batch, plan.places)))
    beginRun(world, of, run, isCold ? coldStartSeconds : 0);
  if (plan.receives) sit(world, of);
}

/** The runs that an invocation receives by itself. */
function fill(world: World, of: Invocation): void {
  const free = world.plan.places - of.runs.size;
  world.sum.receives++;
  for (const run of world.queue.splice(0, Math.min(free, mostReceived))) beginRun(world, of, run, 0);
  if (of.runs.size >= world.plan.places) stand(world, of);
}

function beginRun(world: World, of: Invocation, run: Run, delaySeconds: number): void {
  const { now, agenda, sum } = world;
  run.begunAt = now + delaySeconds;
  run.turn++;
  sum.waitedSeconds += run.begunAt - run.queuedAt;
  of.runs.add(run);
  of.hadSeveral ||= of.runs.size > 1;
  of.closesAt = undefined;
  agenda.add(run.begunAt + run.leftSeconds, { kind: 'end', run, turn: run.turn, of });
}

function stopRun(world: World, of: Invocation, run: Run, how: 'end' | 'leave'): void {
  const worked = Math.max(0, world.now - run.begunAt);
  world.sum.workedSeconds += worked;
  of.runs.delete(run);
  if (how === 'leave') {
    run.leftSeconds -= worked;
    world.sum.handedOn++;
  }
  if (takes(world, of)) sit(world, of);
  if (of.runs.size === 0) end(world, of);
  else handOnTheLast(world, of);
  if (how === 'leave') enqueue(world, run);
}

const takes = ({ plan, times, now }: World, { startedAt }: Invocation) =>
  plan.receives && now < startedAt + times.takeSeconds;

/** An invocation without runs is over when its last receive is, unless that brings a run. */
function end(world: World, of: Invocation): void {
  const leftSeconds = of.seat === undefined ? 0 : world.random() * world.times.receiveSeconds;
  of.closesAt = world.now + leftSeconds;
  world.agenda.add(of.closesAt, { kind: 'close', of });
}

function close(world: World, of: Invocation): void {
  const { now, open, sum, times, plan, keptUntil } = world;
  stand(world, of);
  open.delete(of);
  sum.billedSeconds += now - of.startedAt;
  if (plan.receives) sum.receives += Math.min(now - of.startedAt, times.takeSeconds) / times.receiveSeconds;
  keptUntil.push(now + keptSeconds);
  if (world.queue.length > 0) start(world);
}

/** Lets the invocation receive: what waits at once, else what comes. */
function sit(world: World, of: Invocation): void {
  if (of.seat !== undefined || of.runs.size >= world.plan.places) return;
  if (world.queue.length > 0) fill(world, of);
  if (of.runs.size >= world.plan.places) return;
  of.seat = world.receiving.push(of) - 1;
}

function stand({ receiving }: World, of: Invocation): void {
  if (of.seat === undefined) return;
  const last = receiving.pop()!;
  if (last !== of) {
    receiving[of.seat] = last;
    last.seat = of.seat;
  }
  of.seat = undefined;
}

function handOnTheLast(world: World, of: Invocation): void {
  const { plan, times, now } = world;
  if (!plan.handsOnLast || !of.hadSeveral || of.runs.size !== 1) return;
  if (now >= of.startedAt + times.takeSeconds) for (const run of of.runs) leaveSoon(world, of, run);
}

const leaveSoon = ({ agenda, now, random }: World, of: Invocation, run: Run): void =>
  agenda.add(now + random() * commitSeconds, { kind: 'leave', run, turn: run.turn, of });
