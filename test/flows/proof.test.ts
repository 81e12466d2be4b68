import { limits } from '@errand/platform';
import { beforeEach, describe, expect, test } from 'vitest';
import { call, confirm, type EndedRun, type Flows, useFlows } from './support/use-flows.ts';

let flows: Flows;

useFlows((started) => {
  flows = started;
});

const noon = 'High water is at noon';
const toll = 'The toll is nine ducats';
const mended = 'The toll is seven ducats';
const draft = `${noon} [1]. ${toll} [1].`;

beforeEach(() => {
  const text = `${noon} on Sundays. The keeper asks a toll of seven ducats.`;
  flows.world.pages.set('/tides', { type: 'text/html', body: `<h1>Tides</h1><p>${text}</p>` });
  flows.world.support = ({ statement }) => (statement === toll ? 0.1 : statement === mended ? 0.8 : 0.9);
});

const reading = () => [call('web_crawl', { url: `${flows.world.url}/tides` })];
const proof = true;

/** The supports of the claims, by the claims. */
const supportsOf = ({ view }: EndedRun) =>
  Object.fromEntries(
    (view.citations ?? []).map(({ startIndex, endIndex, support }) => [
      view.result?.slice(startIndex, endIndex),
      support,
    ]),
  );

/** Ends the check with another answer. */
const confirmed = (answer: string) => [call('confirm_answer', { answer })];

const checkQuestion = (): string =>
  flows
    .asked()
    .flatMap(({ messages }) => messages.map(({ content }) => String(content)))
    .findLast((content) => content.startsWith('Before this is sent')) ?? '';

/** A claim has 100 tokens of input, and the judge costs 0.1 EUR for a million. */
const euroPerClaim = 0.000_01;

async function entriesOf(agentId: string): Promise<{ kind: string; amount: string; inputTokens: number }[]> {
  const response = await flows.service.request('/v1/credits/entries?limit=100');
  const { entries } = (await response.json()) as { entries: (Entry & { runId?: string })[] };
  return entries.filter(({ runId }) => runId === agentId);
}

type Entry = { kind: string; amount: string; inputTokens: number };

const decisionsOf = async ({ agentId }: EndedRun) =>
  (await entriesOf(agentId)).filter(({ kind }) => kind === 'decision');

describe('the proof of a run', () => {
  test('asks about each cited claim with the passage that it cites', async () => {
    await flows.run([reading(), { text: draft }], { proof });
    expect(flows.world.passes).toEqual([
      [
        { question: expect.any(String), statement: noon, passage: expect.stringContaining(noon) },
        { question: expect.any(String), statement: toll, passage: expect.stringContaining('seven ducats') },
      ],
    ]);
  });

  test('names unsupported claims in the question of the check, with their passages', async () => {
    const ended = await flows.run([reading(), { text: draft }, confirm], { proof });
    const question = checkQuestion();
    expect(question).toContain(`- Claim: ${toll}\n`);
    expect(question).not.toContain(`- Claim: ${noon}`);
    expect(question.slice(question.indexOf(toll))).toContain('asks a toll of seven ducats');
    expect(ended.view.result).toBe(draft);
    expect(supportsOf(ended)).toEqual({ [noon]: 0.9, [toll]: 0.1 });
  });

  test('names no claim where all are supported', async () => {
    await flows.run([reading(), { text: `${noon} [1].` }], { proof });
    expect(checkQuestion()).not.toContain('Claim:');
    expect(flows.world.passes).toHaveLength(1);
  });

  test('is repeated for the claims that the check has changed, and for no others', async () => {
    const ended = await flows.run([reading(), { text: draft }, confirmed(`${noon} [1]. ${mended} [1].`)], {
      proof,
    });
    expect(flows.world.passes.map((claims) => claims.map(({ statement }) => statement))).toEqual([
      [noon, toll],
      [mended],
    ]);
    expect(supportsOf(ended)).toEqual({ [noon]: 0.9, [mended]: 0.8 });
  });

  test('follows the better source that the check has found', async () => {
    flows.world.pages.set('/tolls', { type: 'text/html', body: `<h1>Tolls</h1><p>${toll} since May.</p>` });
    flows.world.support = ({ passage, statement }) => (passage.includes(statement) ? 0.95 : 0.2);
    const better = `${noon} [1]. ${toll} [2].`;
    const search = [call('web_crawl', { url: `${flows.world.url}/tolls` })];
    const ended = await flows.run([reading(), { text: draft }, search, { text: better }], { proof });
    expect(ended.view.result).toBe(better);
    expect(supportsOf(ended)).toEqual({ [noon]: 0.95, [toll]: 0.95 });
  });

  test('is charged for each pass as a decision, and is in the usage of the run', async () => {
    const plain = await flows.run([reading(), { text: draft }, confirmed(`${noon} [1]. ${mended} [1].`)]);
    const ended = await flows.run([reading(), { text: draft }, confirmed(`${noon} [1]. ${mended} [1].`)], {
      proof,
    });
    expect((await decisionsOf(ended)).map(({ inputTokens }) => inputTokens).toSorted()).toEqual([100, 200]);
    expect(await decisionsOf(plain)).toEqual([]);
    const [own, other] = [ended, plain].map(
      ({ view }) => view.usage as { credits: string; inputTokens: number },
    );
    expect(Number(own!.credits)).toBeCloseTo(Number(other!.credits) + 3 * euroPerClaim, 12);
    expect(own!.inputTokens).toBe(other!.inputTokens + 300);
    expect(ended.view.usage.completions).toBe(3);
  });

  test('emits no event', async () => {
    const answers = [reading(), { text: draft }, confirmed(`${noon} [1]. ${mended} [1].`)];
    const [plain, proved] = [await flows.run(answers), await flows.run(answers, { proof })];
    expect(proved.events).toEqual(plain.events);
  });

  test('is left out without proof, with proof: false, and if the answer cites nothing', async () => {
    const runs = [
      await flows.run([reading(), { text: draft }]),
      await flows.run([reading(), { text: draft }], { proof: false }),
      await flows.run([reading(), { text: `${noon}.` }], { proof }),
      await flows.run([{ text: `${noon} [1].` }], { proof }),
    ];
    expect(flows.world.passes).toEqual([]);
    for (const { view } of runs)
      for (const citation of view.citations ?? []) expect(citation).not.toHaveProperty('support');
  });
});

describe('a cited claim that shares no word with its source', () => {
  const zebras = 'Zebras quickly overthrew Madagascar yesterday';
  const foreign = '正午涨潮';
  const answer = `${zebras} [1]. ${noon} [1]. ${foreign}【1】。`;

  beforeEach(() => {
    flows.world.support = ({ statement, passage }) =>
      statement === zebras ? 0.02 : passage.includes(noon) ? 0.9 : 0.5;
  });

  test('is judged by what the model was shown of the source, and named if that does not support it', async () => {
    const ended = await flows.run([reading(), { text: answer }, confirm], { proof });
    expect(supportsOf(ended)).toEqual({ [zebras]: 0.02, [noon]: 0.9, [foreign]: 0.9 });
    const [asked] = flows.world.passes;
    expect(asked?.map(({ statement }) => statement)).toEqual([zebras, noon, foreign]);
    for (const { passage } of asked ?? []) expect(passage).toContain('a toll of seven ducats');
    const question = checkQuestion();
    expect(question).toContain(`- Claim: ${zebras}\n`);
    expect(question).not.toContain(foreign);
  });

  test('has no passage in its citation, with proof or without', async () => {
    for (const input of [{ proof }, {}]) {
      const { view } = await flows.run([reading(), { text: `${zebras} [1].` }], input);
      expect(view.citations).toHaveLength(1);
      expect(view.citations?.[0]).not.toHaveProperty('passage');
    }
  });

  test('is judged by the passages that were shown, and by no others of a long source', async () => {
    const lines = Array.from(
      { length: 900 },
      (_, i) => `The heron number ${i} sat down here, and ${'then flew off. '.repeat(30)}`,
    );
    flows.world.pages.set('/herons.txt', { type: 'text/plain', body: lines.join('\n\n') });
    const read = [
      call('document_parse', { url: `${flows.world.url}/herons.txt`, query: 'heron number 707' }),
    ];
    const { results } = await flows.run([read, { text: `${foreign}【1】。` }], { proof });
    const [[asked] = []] = flows.world.passes;
    expect(asked?.statement).toBe(foreign);
    expect(asked?.passage.length).toBeLessThanOrEqual(limits.shownPerClaimCharacters);
    for (const [heron] of asked?.passage.matchAll(/heron number \d+/g) ?? [])
      expect(results[0]).toContain(heron);
    expect(asked?.passage).toMatch(/heron number \d+/);
  });

  test('is left without support past the bound of such claims', async () => {
    const more = 3;
    const claims = Array.from(
      { length: limits.claimsProvedByShown + more },
      (_, i) => `涨潮${'潮'.repeat(i)}`,
    );
    const ended = await flows.run([reading(), { text: claims.map((claim) => `${claim}【1】。`).join('') }], {
      proof,
    });
    const supports = (ended.view.citations ?? []).map(({ support }) => support);
    expect(supports).toHaveLength(claims.length);
    expect(supports.filter((support) => support === undefined)).toHaveLength(more);
    expect(flows.world.passes.flat()).toHaveLength(limits.claimsProvedByShown);
  });
});

describe('a cited claim of whose source nothing was shown', () => {
  const search = [call('web_search', { query: 'toll' })];

  beforeEach(() => {
    flows.world.search = () => [{ title: 'Tolls', url: 'https://tolls.example/', content: '' }];
  });

  test('has support 0 without a pass, and is named in the question of the check', async () => {
    const ended = await flows.run([search, { text: `${toll} [1].` }, confirm], { proof });
    expect(supportsOf(ended)).toEqual({ [toll]: 0 });
    expect(flows.world.passes).toEqual([]);
    expect(await decisionsOf(ended)).toEqual([]);
    expect(checkQuestion()).toContain(`- Claim: ${toll}\n  Nothing of its sources was shown to you.`);
  });

  test('is judged by another source that it cites, and has no support without proof', async () => {
    const ended = await flows.run([search, reading(), { text: `${noon} [1][2].` }], { proof });
    expect(new Set((ended.view.citations ?? []).map(({ support }) => support))).toEqual(new Set([0.9]));
    const { view } = await flows.run([search, { text: `${toll} [1].` }]);
    expect(view.citations?.[0]).not.toHaveProperty('support');
  });
});

describe('a decision model', () => {
  test('that fails leaves the run succeeded, without support and charge', async () => {
    flows.world.support = () => undefined;
    const ended = await flows.run([reading(), { text: draft }], { proof });
    expect(ended.view).toMatchObject({ status: 'succeeded', result: draft });
    expect(supportsOf(ended)).toEqual({ [noon]: undefined, [toll]: undefined });
    expect(checkQuestion()).not.toContain('Claim:');
    expect(await decisionsOf(ended)).toEqual([]);
  });

  test('that fails after the check leaves the supports from before the check', async () => {
    flows.world.support = ({ statement }) => (statement === mended ? undefined : 0.1);
    const ended = await flows.run([reading(), { text: draft }, confirmed(`${noon} [1]. ${mended} [1].`)], {
      proof,
    });
    expect(ended.view.status).toBe('succeeded');
    expect(supportsOf(ended)).toEqual({ [noon]: 0.1, [mended]: undefined });
    expect(await decisionsOf(ended)).toHaveLength(1);
  });
});

describe('claims', () => {
  const many = Array.from({ length: 64 }, (_, i) => `Ship ${i + 1} paid seven ducats [1].`);

  test('past 32 take a second pass, each charged', async () => {
    const ended = await flows.run([reading(), { text: many.slice(0, 40).join('\n') }], { proof });
    expect(flows.world.passes.map((claims) => claims.length)).toEqual([32, 8]);
    expect((await decisionsOf(ended)).map(({ inputTokens }) => inputTokens).toSorted()).toEqual([3_200, 800]);
    expect(Object.values(supportsOf(ended))).toEqual(Array(40).fill(0.9));
  });

  test('that are unsupported are named as long as they fit the question of the check', async () => {
    flows.world.support = () => 0.1;
    const long = 'The ships of the harbour paid their toll in ducats. '.repeat(60);
    flows.world.pages.set('/tides', { type: 'text/plain', body: long });
    await flows.run([reading(), { text: many.join('\n') }], { proof });
    const question = checkQuestion();
    const named = question.match(/- Claim: Ship/g)?.length ?? 0;
    expect(named).toBeGreaterThan(5);
    expect(question).toContain(`- Nor are ${many.length - named} further claims borne out`);
    expect(question.length).toBeLessThan(17_000);
  });

  test('that the credits of the run do not pay for stay without support', async () => {
    // What is left after it pays for one pass, not for another or for a check.
    const answer = { text: many.join('\n'), usage: { input: 10_000, output: 9_090 } };
    const ended = await flows.run([reading(), answer], { proof, maxCredits: '0.0298' });
    expect(ended.view).toMatchObject({ status: 'succeeded', stopReason: 'credits', result: answer.text });
    expect(flows.world.passes.map((claims) => claims.length)).toEqual([32]);
    expect(Object.values(supportsOf(ended))).toEqual([...Array(32).fill(0.9), ...Array(32).fill(undefined)]);
    expect(await decisionsOf(ended)).toHaveLength(1);
    expect(ended.view.usage).toMatchObject({ completions: 2 });
  });
});
