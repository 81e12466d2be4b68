import { checkBalances } from '@errand/money';
import { localTableNames, systemClock } from '@errand/platform';
import { expect, test } from 'vitest';
import { png } from '../uploads/support.ts';
import {
  call,
  confirm,
  type EndedRun,
  type Flows,
  type Turn,
  toolMessages,
  useFlows,
} from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

interface Entry {
  kind: string;
  amount: string;
  probability?: number;
}

async function entriesOf({ agentId }: Pick<EndedRun, 'agentId'>): Promise<Entry[]> {
  const response = await flows.service.request('/v1/credits/entries?limit=100');
  const { entries } = (await response.json()) as { entries: (Entry & { runId?: string })[] };
  return entries.filter(({ runId }) => runId === agentId);
}

async function expectSoundBooks(): Promise<void> {
  const { dynamodb } = flows.service.clients;
  const deps = { dynamodb, tables: localTableNames, clock: systemClock };
  for await (const wrong of checkBalances(deps)) expect.unreachable(JSON.stringify(wrong));
  const credits = await (await flows.service.request('/v1/credits')).json();
  expect(credits).toMatchObject({ reserved: '0' });
}

const goOn = (before: EndedRun, answers: Turn[], body: object = {}) =>
  flows.run(answers, { previousRunId: before.agentId, ...body });

/** A follow-up that brings answers, and no question. */
const answer = (before: EndedRun, answers: Turn[], body: object) =>
  goOn(before, answers, { question: undefined, ...body });

interface AskedCall {
  id: string;
  name: string;
  digest: string;
  probability?: number;
}

const askedBy = ({ view }: EndedRun) => (view.asked as { calls?: AskedCall[] }).calls ?? [];

const save = (name: string) => call('save_data', { name, value: 'yes' });
const visionRequests = () => flows.provider.requests.filter(({ model }) => model === 'upstream-eyes').length;

test('a chain of five and its branch read, transcribe, convert, see and pay for nothing twice', async () => {
  const { world, service } = flows;
  world.pages.set('/tides', { type: 'text/html', body: '<h1>Tides</h1><p>High water is at noon.</p>' });
  world.pages.set('/talk.mp3', { type: 'audio/mpeg', body: 'not really a recording' });
  world.pages.set('/pier.png', { type: 'image/png', body: png });
  const page = call('web_crawl', { url: `${world.url}/tides` });
  const talk = `${world.url}/talk.mp3`;
  const first = await flows.run(
    [[page], { text: 'At noon [1].' }],
    { audioUrl: talk, documentUrl: `${world.url}/pier.png` },
    { name: 'log.txt', bytes: 'The log says low water is at six.' },
  );
  expect(first.view.status).toBe('succeeded');
  const kinds = (await entriesOf(first)).map(({ kind }) => kind);
  expect(kinds.toSorted()).toEqual(['completion', 'completion', 'completion', 'transcription', 'vision']);
  const asked = [...world.asked];
  const again = [page, call('document_parse', { url: 'log.txt' }), call('document_parse', { url: talk })];
  const follow = async (before: EndedRun) => {
    const next = await goOn(before, [again, { text: 'Still at noon [1].' }], { question: 'And now?' });
    expect(next.results.map((result) => result.startsWith('Error'))).toEqual([false, false, false]);
    expect(next.results[1]).toContain('low water is at six');
    expect(next.results[2]).toContain('Welcome aboard');
    expect(visionRequests()).toBe(0);
    expect((await entriesOf(next)).map(({ kind }) => kind)).toEqual([
      'completion',
      'completion',
      'completion',
    ]);
    return next;
  };
  const chain = [first];
  while (chain.length < 5) chain.push(await follow(chain.at(-1)!));
  const branches = [await follow(chain[1]!), await follow(chain[1]!)];
  expect(world.asked).toEqual(asked);
  await expectSoundBooks();

  // Each page has two of the seven runs, and the first run of the chain is the last.
  const listed: string[] = [];
  let cursor = '';
  do {
    const query = `thread=${chain[3]!.agentId}&limit=2${cursor && `&cursor=${cursor}`}`;
    const listing = (await (await service.request(`/v1/agents/runs?${query}`)).json()) as {
      runs: { agentId: string }[];
      cursor?: string;
    };
    listed.push(...listing.runs.map(({ agentId }) => agentId));
    cursor = listing.cursor ?? '';
  } while (cursor !== '');
  const whole = [...chain, ...branches].map(({ agentId }) => agentId);
  expect(listed).toEqual(whole.toReversed());

  // What was read stays with those that follow, and so does the listing of the chain.
  await service.request(`/v1/agents/runs/${first.agentId}`, { method: 'DELETE' });
  await follow(chain[4]!);
  expect(world.asked).toEqual(asked);
  const left = await service.request(`/v1/agents/runs?thread=${first.agentId}&status=succeeded`);
  expect(((await left.json()) as { runs: object[] }).runs).toHaveLength(7);
});

test('a file that an earlier run saved is appended to, and stays when that run is deleted', async () => {
  const { service } = flows;
  const part = (content: string, append: boolean) => [
    call('save_file', { filename: 'log.md', content, append }),
  ];
  const first = await flows.run([part('One.', false), { text: 'Saved.' }]);
  const next = await goOn(first, [part(' Two.', true), { text: 'Saved.' }]);
  const branch = await goOn(first, [part(' Other.', true), { text: 'Saved.' }]);
  await service.request(`/v1/agents/runs/${first.agentId}`, { method: 'DELETE' });
  const contentOf = async ({ results: [result = ''] }: EndedRun) =>
    (await fetch(/https?:\S+/.exec(result)?.[0] ?? '')).text();
  expect([await contentOf(next), await contentOf(branch)]).toEqual(['One. Two.', 'One. Other.']);
});

test('missing input comes as a file, and is what the model is answered', async () => {
  const ask = call('request_input', {
    message: 'Which log?',
    expected: [{ name: 'file', description: 'It.' }],
  });
  const first = await flows.run([[ask]]);
  expect(first.view).toMatchObject({ status: 'awaiting_input', asked: { expected: [{ name: 'file' }] } });
  const form = new FormData();
  form.set('previousRunId', first.agentId);
  form.set('file', new Blob(['Low water is at six.']), 'log.txt');
  flows.provider.script((_, number) => (number === 1 ? { text: 'At six.' } : confirm) as never);
  const response = await flows.service.request('/v1/agents/runs', { method: 'POST', body: form });
  expect(response.status).toBe(202);
  const { agentId } = (await response.json()) as { agentId: string };
  expect((await flows.service.follow(agentId)).at(-1)).toMatchObject({ type: 'done' });
  expect(toolMessages(flows.asked()[0])).toEqual([expect.stringContaining('Low water is at six.')]);
});

test('auto makes the calls that the question asks for, asks about the others, and charges each judgement once', async () => {
  const { world } = flows;
  world.support = ({ statement }) => (statement.includes('"asked"') ? 0.95 : 0.5);
  const first = await flows.run([[save('asked'), save('unasked')]], { approve: 'auto' });
  expect(first.events.find(({ type }) => type === 'tool_call')).toMatchObject({
    approval: { probability: 0.95 },
  });
  expect(first.results).toHaveLength(1);
  expect(askedBy(first)).toMatchObject([{ name: 'save_data', probability: 0.5 }]);
  const judged = (await entriesOf(first)).filter(({ kind }) => kind === 'decision');
  expect(judged).toMatchObject([{ probability: 0.5 }]);
  const approvals = [{ callId: askedBy(first)[0]!.id, approve: true }];
  const next = await answer(first, [{ text: 'Saved.' }], { approve: 'auto', approvals });
  expect(next.view.status).toBe('succeeded');
  expect(next.results).toHaveLength(1);
  expect(world.passes).toHaveLength(1);
  expect((await entriesOf(next)).map(({ kind }) => kind)).toEqual(['completion', 'completion']);

  const lower = await flows.run([[save('unasked')], { text: 'Saved.' }], {
    approve: 'auto',
    approveThreshold: 0.5,
  });
  expect(lower.view.status).toBe('succeeded');
  world.support = () => undefined;
  const unjudged = await flows.run([[save('asked')]], {
    approve: ['auto', 'save_data'],
    approveThreshold: 0.1,
  });
  expect(askedBy(unjudged)).toMatchObject([{ probability: 0 }]);
  await expectSoundBooks();
});

test('a refusal is an error that the model reads, with its reason', async () => {
  const first = await flows.run([[save('a')]], { approve: ['save_data'] });
  const approvals = [{ callId: askedBy(first)[0]!.id, approve: false, reason: 'Not today.' }];
  const next = await answer(first, [{ text: 'Not saved.' }], { approve: ['save_data'], approvals });
  expect(next.view.status).toBe('succeeded');
  expect(toolMessages(flows.asked()[0])).toEqual([expect.stringMatching(/^Error: .*refused.* Not today\.$/)]);
});
