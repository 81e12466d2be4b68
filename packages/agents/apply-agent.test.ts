import { needsApproval } from '@errand/agent/testing';
import { parseEuro } from '@errand/money';
import { isDomainError, limits } from '@errand/platform';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyAgent } from './apply-agent.ts';
import { readApprove } from './approve.ts';
import { type AgentDefinition, openFields } from './definition.ts';
import { efforts } from './run-fields.ts';

type Body = Parameters<typeof applyAgent>[1];

const shop = { label: 'shop', url: 'https://shop.example/mcp', allowedTools: ['find', 'buy'] };
const full = {
  instructions: 'Sort mails.',
  model: 'writer',
  tools: ['web_search', 'web_crawl'],
  mcp: ['stock', shop],
  skills: { name: 'tone', version: 2 },
  outputSchema: '{"type":"object"}',
  proof: true,
  approve: ['shop__buy'],
  effort: 'medium',
  maxCredits: '0.50',
} as unknown as AgentDefinition;

const apply = (definition: Partial<AgentDefinition>, body: object): Record<string, unknown> =>
  applyAgent({ name: 'triage', definition: { ...full, ...definition } }, body as Body);

const { instructions: _, ...fields } = full;

test('a run that says nothing is as the agent says, and keeps what agents have no word on', () => {
  expect(apply({}, { question: 'Q?', metadata: { a: 'b' } })).toEqual({
    ...fields,
    question: 'Q?',
    metadata: { a: 'b' },
  });
});

test('an agent that says nothing of a field leaves it to its runs, but for servers, of which it then has none', () => {
  const bare = { name: 'bare', definition: { instructions: 'Be brief.' } as AgentDefinition };
  const { mcp, ...rest } = fields;
  expect(applyAgent(bare, rest as Body)).toEqual(rest);
  expect(applyAgent(bare, { mcp: [] })).toEqual({ mcp: [] });
  expect(() => applyAgent(bare, { mcp: ['stock'] })).toThrow();
});

test.each<[string, unknown, unknown?]>([
  ['tools', ['web_crawl']],
  ['tools', []],
  ['mcp', [], []],
  ['mcp', ['shop'], [shop]],
  ['mcp', ['stock'], ['stock']],
  ['mcp', [{ label: 'shop', url: shop.url, allowedTools: ['find'] }], [{ ...shop, allowedTools: ['find'] }]],
  ['mcp', [{ label: 'shop', url: shop.url, authorization: 'mine' }], [{ ...shop, authorization: 'mine' }]],
  ['mcp', [{ ...shop, repeat: 'never' }], [{ ...shop, repeat: 'never' }]],
  ['maxCredits', '0.5'],
  ['maxCredits', '0.001'],
  ['effort', 'low'],
  ['approve', 'writes', ['writes', 'shop__buy']],
  ['approve', ['save_file'], ['shop__buy', 'save_file']],
  ['approve', ['!shop__find'], ['writes', 'shop__buy']],
  ['approve', ['!save_file'], ['writes', 'shop__buy', '!save_file']],
  ['model', 'writer'],
  ['skills', { version: 2, name: 'tone' }],
  ['outputSchema', '{"type":"object"}'],
  ['proof', true],
])('a run may have %s: %j', (field, value, becomes = value) => {
  expect(apply({}, { [field]: value })[field]).toEqual(becomes);
});

test.each<[string, unknown]>([
  ['tools', ['web_search', 'save_file']],
  ['mcp', ['books']],
  ['mcp', [{ label: 'stock', url: 'https://elsewhere.example/mcp' }]],
  ['mcp', [{ ...shop, url: 'https://elsewhere.example/mcp' }]],
  ['mcp', [{ ...shop, allowedTools: ['find', 'pay'] }]],
  ['mcp', [{ ...shop, repeat: 'always' }]],
  ['mcp', [{ label: 'other', url: shop.url }]],
  ['maxCredits', '0.500000001'],
  ['effort', 'high'],
  ['approve', 'auto'],
  ['model', 'eyes'],
  ['skills', 'tone'],
  ['skills', { name: 'tone', version: 1 }],
  ['outputSchema', '{"type":"object","properties":{}}'],
  ['proof', false],
])('a run may not have %s: %j, unless the agent leaves it open', (field, value) => {
  expect(() => apply({}, { [field]: value })).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      details: {
        issues: [{ field, problem: expect.stringMatching(/: "triage" does not leave it open$/) }],
      },
    }),
  );
  const open = [field] as AgentDefinition['open'];
  expect(apply({ open }, { [field]: value })).toEqual({ ...fields, [field]: value });
});

test('where servers are open, a name is first that of one of the agent', () => {
  expect(apply({ open: ['mcp'] }, { mcp: ['shop', 'books'] }).mcp).toEqual([shop, 'books']);
});

test('every field that is too wide is told', () => {
  const wide = { tools: ['save_file'], effort: 'high', maxCredits: '9', proof: false };
  const refused = (() => {
    try {
      return apply({}, wide);
    } catch (error) {
      return error;
    }
  })();
  expect(
    isDomainError(refused, 'invalid_request') && refused.details.issues.map(({ field }) => field),
  ).toEqual(['tools', 'maxCredits', 'effort', 'proof']);
});

test("a run may not lower the probability with which the agent's calls are approved by a model", () => {
  const judged = { approve: 'auto' } as const;
  const approveThreshold = limits.approveThreshold - 0.01;
  expect(() => apply(judged, { approveThreshold })).toThrow();
  expect(apply(judged, { approveThreshold: 0.99 })).toMatchObject({
    approveThreshold: 0.99,
    approve: 'auto',
  });
  expect(apply({ ...judged, open: ['approve'] }, { approveThreshold })).toMatchObject({ approveThreshold });
  expect(apply(judged, { approve: 'writes' }).approve).toEqual(['writes']);
});

const tools = ['save_file', 'web_crawl', 'shop__find', 'shop__buy', 'stock__find', 'stock__buy'].map(
  (name) => ({ name, readsOnly: name.endsWith('find') || name === 'web_crawl' }),
) as unknown as Parameters<typeof needsApproval>[1];

const rule = fc.constantFrom(
  ...[
    'writes',
    'auto',
    'save_file',
    'web_crawl',
    'shop__find',
    'shop__buy',
    'shop__*',
    'stock__*',
    'shop__byu',
  ],
  ...['!save_file', '!shop__find', '!shop__buy', '!shop__*', '!stock__buy', '!stock__*'],
);
const someRules = fc.array(rule, { maxLength: 4 });
const asked = (approve: readonly string[]): string[] => {
  const rules = readApprove({ approve });
  return rules ? tools.filter((tool) => needsApproval(rules, tools, tool)).map(({ name }) => name) : [];
};

test('a call that needs approval by the rules of the agent, or of the run, needs it by both together', () => {
  fc.assert(
    fc.property(someRules, someRules, (agents, runs) => {
      const [own, added] = [readApprove({ approve: agents }), readApprove({ approve: runs })];
      if (own && !own.isJudged && added?.isJudged) {
        expect(() => apply({ approve: agents }, { approve: runs })).toThrow();
        return;
      }
      const together = apply({ approve: agents }, { approve: runs }).approve as string[];
      expect(asked(together)).toEqual(expect.arrayContaining([...asked(agents), ...asked(runs)]));
      const isJudged = readApprove({ approve: together })?.isJudged;
      if (isJudged) expect([own?.isJudged ?? true, added?.isJudged ?? true]).toEqual([true, true]);
    }),
    { numRuns: 500 },
  );
});

const serverOf = (label: string) =>
  fc.record(
    {
      label: fc.constant(label),
      url: fc.constantFrom('https://a.example/', 'https://b.example/'),
      allowedTools: fc.subarray(['find', 'buy', 'pay']),
      repeat: fc.constantFrom('always', 'never'),
    },
    { requiredKeys: ['label', 'url'] },
  );
const servers = fc
  .tuple(fc.constantFrom('stock', 'books'), serverOf('shop'), serverOf('bank'))
  .chain((all) => fc.subarray([...all]));
const said = fc.record(
  {
    model: fc.constantFrom('writer', 'eyes'),
    tools: fc.subarray(['web_search', 'web_crawl', 'save_file']),
    mcp: servers,
    skills: fc.constantFrom('tone', { name: 'tone', version: 1 }),
    outputSchema: fc.constantFrom('{}', '{"type":"object"}'),
    proof: fc.boolean(),
    effort: fc.constantFrom(...efforts),
    maxCredits: fc.constantFrom('0.1', '0.25', '3'),
  },
  { requiredKeys: [] },
);

type Servers = NonNullable<Body['mcp']>;

/** Whether a run may do more with the first than with the second. Undefined is all, but of servers. */
const isWider: Record<string, (runs: unknown, agents: unknown) => boolean> = {
  tools: (runs, agents) => !(runs as string[]).every((tool) => (agents as string[]).includes(tool)),
  effort: (runs, agents) => efforts.indexOf(runs as 'low') > efforts.indexOf(agents as 'low'),
  maxCredits: (runs, agents) => parseEuro(String(runs))! > parseEuro(String(agents))!,
  mcp: (runs, agents) =>
    (runs as Servers).some((server) => {
      if (typeof server === 'string') return !(agents as Servers).includes(server);
      const own = (agents as Servers).find((each) => typeof each === 'object' && each.label === server.label);
      if (typeof own !== 'object' || own.url !== server.url) return true;
      if (server.repeat !== own.repeat && server.repeat !== 'never') return true;
      return own.allowedTools?.length === undefined
        ? false
        : !server.allowedTools?.every((tool) => own.allowedTools?.includes(tool));
    }),
};

test('what comes out is never wider than the agent in a field that it does not leave open, and is what the run says where it may', () => {
  fc.assert(
    fc.property(said, said, fc.subarray([...openFields]), (agents, runs, open) => {
      const definition = { instructions: 'I', ...agents, open } as unknown as AgentDefinition;
      let body: Record<string, unknown>;
      try {
        body = applyAgent({ name: 'a', definition }, runs as Body);
      } catch (error) {
        if (!isDomainError(error, 'invalid_request')) throw error;
        // What is refused is what an agent does not leave open.
        for (const { field } of error.details.issues) expect(open).not.toContain(field);
        return;
      }
      for (const name of openFields.filter((each) => each !== 'approve')) {
        const own = agents[name] ?? (name === 'mcp' ? [] : undefined);
        if (open.includes(name) || own === undefined) continue;
        if (body[name] === undefined) expect(name).toBe('mcp');
        else if (isWider[name]) expect([name, isWider[name](body[name], own)]).toEqual([name, false]);
        else expect(body[name]).toEqual(own);
      }
      for (const name of ['tools', 'effort', 'maxCredits', 'model', 'proof'] as const)
        if (runs[name] !== undefined) expect(body[name]).toEqual(runs[name]);
    }),
    { numRuns: 500 },
  );
});
