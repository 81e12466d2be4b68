import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { AgentEvent } from '@errand/agent';
import { initialState } from '@errand/agent/testing';
import { ConditionsFailed, limits, localTableNames, sha256Hex } from '@errand/platform';
import {
  claimRun,
  commitProgress,
  type LeaseDeps,
  readEvents,
  readRun,
  readState,
  type StoredEvent,
} from '@errand/runs/testing';
import { runsDeps } from '@errand/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, openDesk } from '../faults/support/desk.ts';
import { type Ground, startGround } from '../faults/support/ground.ts';
import { setLimit } from '../support/set-limit.ts';

let ground: Ground;
let desk: Desk;
let deps: LeaseDeps & ReturnType<typeof runsDeps>;

beforeAll(async () => {
  ground = await startGround();
  desk = await openDesk(ground);
  deps = { ...runsDeps(desk.parts), leaseMilliseconds: 60_000 };
});
afterAll(async () => {
  desk.close();
  await ground.close();
});

const TableName = localTableNames.runs;
const textOf = (text: string): AgentEvent => ({ type: 'text', text });
const thinking = (contents: readonly string[], more: object = {}) => ({
  ...initialState,
  phase: 'think' as const,
  part: 'loop' as const,
  rounds: contents.length,
  messages: contents.map((content) => ({ role: 'user' as const, content })),
  ...more,
});

type Commit = Parameters<typeof commitProgress>[3];

/** A run that a worker has claimed, and what the worker does with it. */
async function claimed() {
  const agentId = await desk.start({ question: 'When?' });
  const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
  if (claim.kind !== 'claimed') throw new Error(claim.kind);
  const { token } = claim;
  const checkpoint = { wholeBytes: 0, changesBytes: 0 };
  let { run } = claim;
  return {
    agentId,
    checkpoint,
    async commit(commit: Partial<Commit>, evenIfCancelled = false) {
      const options = { checkpoint, evenIfCancelled };
      run = await commitProgress(deps, run, { token }, { events: [], costs: [], ...commit }, options);
      return run;
    },
    read: () => readState(deps, run),
  };
}

const item = async (agentId: string, sk: string) =>
  (await deps.dynamodb.send(new GetCommand({ TableName, Key: { pk: `RUN#${agentId}`, sk } }))).Item;

async function taken({ events }: Awaited<ReturnType<typeof readEvents>>): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
const eventKey = (id: number) => `EVENT#${String(id).padStart(10, '0')}`;

describe('events of one commit', () => {
  test('lie in one item, and are read in pages of any size, after any of them, as if each were by itself', async () => {
    const { agentId, commit } = await claimed();
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    const events = names.map((name) => textOf(`${name}\nsaid "${name}"`));
    await commit({ events: events.slice(0, 1) });
    await commit({ events: events.slice(1, 5), state: thinking(names) });
    await commit({ events: events.slice(5) });
    expect(await item(agentId, eventKey(4))).toBeUndefined();
    expect(await item(agentId, eventKey(5))).toMatchObject({ names: Array(4).fill('text') });
    for (let after = 0; after <= events.length; after++)
      for (let limit = 1; limit <= events.length + 1; limit++) {
        const read = await readEvents(deps, agentId, after, limit);
        const found = await taken(read);
        const expected = events.slice(after, after + limit);
        expect(found.map(({ data }) => data)).toEqual(expected.map((event) => JSON.stringify(event)));
        expect(found.map(({ id }) => id)).toEqual(expected.map((_, i) => after + 1 + i));
        if (after + expected.length < events.length) expect(read.more).toBe(true);
      }
  });

  test('follow those of an earlier release, each in an item of its own, and wait behind a gap', async () => {
    const { agentId, commit } = await claimed();
    await commit({ events: [textOf('a')] });
    const data = JSON.stringify(textOf('b'));
    const Item = { pk: `RUN#${agentId}`, sk: eventKey(2), id: 2, name: 'text', at: 'x', data };
    await deps.dynamodb.send(new PutCommand({ TableName, Item }));
    const read = async () => taken(await readEvents(deps, agentId, 0, 50));
    expect((await read()).map(({ id }) => id)).toEqual([1, 2]);
    const later = { ...Item, sk: eventKey(5), id: 5 };
    await deps.dynamodb.send(new PutCommand({ TableName, Item: later }));
    expect((await read()).map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe('a checkpoint', () => {
  test('is read as it was last committed, whatever was written whole and what by its changes', async () => {
    const { agentId, commit, read } = await claimed();
    expect(await read()).toBeUndefined();
    const words: string[] = [];
    for (const word of ['a', 'b', 'c', 'd']) {
      words.push(word);
      const state = thinking(words, word === 'c' ? { gotRoom: true } : {});
      await commit({ events: [textOf(word)], state });
      expect((await read())?.state).toEqual(state);
    }
    expect(await item(agentId, 'STATE')).toMatchObject({ upTo: 1 });
    const waiting = { sinceMilliseconds: 1, pauses: 1, pausedMilliseconds: 1 };
    const paused = thinking(words, { waiting });
    await commit({ state: paused });
    expect((await read())?.state).toEqual(paused);
    expect(await item(agentId, 'STATE')).toMatchObject({ upTo: 4 });
  });

  test('of a run that failed is the one before, and that of a run that has its answer the last', async () => {
    const state = thinking(['a', 'b']);
    const failed = await claimed();
    await failed.commit({ events: [textOf('a')], state: thinking(['a']) });
    await failed.commit({ events: [textOf('b')], state });
    await failed.commit({ events: [{ type: 'error', message: 'x' }], state: thinking(['c']) });
    expect((await failed.read())?.state).toEqual(state);
    const done = await claimed();
    await done.commit({ events: [textOf('a')], state });
    const { messages, rounds } = thinking(['a', 'b', 'c']);
    const ended = { ...initialState, phase: 'ended' as const, conversation: { messages, rounds } };
    await done.commit({ events: [{ type: 'done', finalText: 'c' }], state: ended });
    expect((await done.read())?.state).toEqual(ended);
    const last = JSON.stringify(await item(done.agentId, 'STATE'));
    expect(last).toContain('"upTo":1');
  });

  test('of a worker that takes the run over is gone on from by changes', async () => {
    const first = await claimed();
    await first.commit({ events: [textOf('a')], state: thinking(['a']) });
    await first.commit({ events: [textOf('b')], state: thinking(['a', 'b']) });
    const kept = (await first.read())!;
    Object.assign(first.checkpoint, kept.checkpoint);
    const next = { ...thinking(['a', 'b']), ...kept.state, phase: 'think' as const, step: 7 };
    await first.commit({ events: [textOf('c')], state: next });
    expect((await first.read())?.state).toEqual(next);
    expect(await item(first.agentId, 'STATE')).toMatchObject({ upTo: 1 });
  });

  test('is written whole again once what has changed is much, so that what a worker reads is bounded', async () => {
    setLimit('checkpointChangesBytes', 2_000);
    const { agentId, commit, read } = await claimed();
    const words: string[] = [];
    const wholes = new Set<unknown>();
    for (let i = 0; i < 40; i++) {
      words.push(sha256Hex(`${i}`).repeat(4));
      await commit({ events: [textOf('x')], state: thinking(words) });
      wholes.add((await item(agentId, 'STATE'))?.upTo);
      const { checkpoint } = (await read())!;
      const most = Math.max(limits.checkpointChangesBytes, checkpoint.wholeBytes);
      expect(checkpoint.changesBytes).toBeLessThan(most + 1_000);
    }
    expect(wholes.size).toBeGreaterThan(1);
    expect(wholes.size).toBeLessThan(8);
    expect((await read())?.state).toEqual(thinking(words));
  });

  test('of an earlier release, with its events beside it, is gone on from, written whole once and then told by its changes', async () => {
    const { agentId, commit, read, checkpoint } = await claimed();
    const [event, state] = [textOf('a'), thinking(['a'])];
    await commit({ events: [event], state });
    const { part, phase: _, ...rest } = state;
    const earlier = [
      { sk: 'STATE', data: JSON.stringify({ ...rest, phase: part, stepOpen: true }) },
      { sk: eventKey(1), id: 1, name: 'text', at: 'x', data: JSON.stringify(event) },
    ];
    for (const each of earlier) {
      const Item = { pk: `RUN#${agentId}`, ...each };
      await deps.dynamodb.send(new PutCommand({ TableName, Item }));
    }
    const kept = (await read())!;
    expect(kept.state).toEqual(state);
    Object.assign(checkpoint, { stored: undefined }, kept.checkpoint);
    for (const words of [
      ['a', 'b'],
      ['a', 'b', 'c'],
    ]) {
      await commit({ events: [textOf('b'), textOf('c')], state: thinking(words) });
      expect((await read())?.state).toEqual(thinking(words));
    }
    expect(await item(agentId, 'STATE')).toMatchObject({ upTo: 3 });
    const events = await taken(await readEvents(deps, agentId, 0, 50));
    expect(events.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  test('that is missing a commit, or the object of one, is an error and never an earlier state', async () => {
    const { agentId, commit, read } = await claimed();
    await commit({ events: [textOf('a')], state: thinking(['a']) });
    const noise = Array.from({ length: 1_500 }, (_, i) => sha256Hex(`${i}`)).join('');
    await commit({ events: [textOf('b')], state: thinking(['a', noise]) });
    await commit({ events: [textOf('c')], state: thinking(['a', noise, 'c']) });
    const { stored } = (await item(agentId, eventKey(2)))!;
    const text = (await deps.files.getBytes(String(stored)))!;
    await deps.files.delete(String(stored));
    await expect(read()).rejects.toThrow('not_found');
    await deps.files.put(String(stored), text, 'application/octet-stream');
    const run = (await readRun(deps, agentId))!;
    expect((await readState(deps, run))?.state).toEqual(thinking(['a', noise, 'c']));
    await expect(readState(deps, { ...run, lastEventId: 4 })).rejects.toThrow('without some of its events');
    const early = { ...(await item(agentId, 'STATE')), upTo: 0 };
    await deps.dynamodb.send(new PutCommand({ TableName, Item: early }));
    await expect(readState(deps, run)).rejects.toThrow('older than its run');
  });

  test('that a refused commit would have changed is the one before, and the next commit tells of both changes', async () => {
    const { agentId, commit, read } = await claimed();
    await commit({ events: [textOf('a')], state: thinking(['a']) });
    await desk.request(`/v1/agents/runs/${agentId}/cancel`, { method: 'POST' });
    const state = thinking(['a', 'b']);
    const refused = commit({ events: [textOf('b')], state });
    await expect(refused).rejects.toBeInstanceOf(ConditionsFailed);
    expect((await read())?.state).toEqual(thinking(['a']));
    await commit({ events: [textOf('b')], state }, true);
    expect((await read())?.state).toEqual(state);
  });
});
