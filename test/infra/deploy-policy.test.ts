import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deployedTypes, deployPolicies } from '../../infra/deploy-policy.ts';
import type { Settings } from '../../infra/settings.ts';
import { canEvaluate, evaluate, evaluationMilliseconds } from '../support/sst/stack.ts';

/** A stage with everything that settings may add. */
const everything: Partial<Settings> = {
  domain: 'api.example.com',
  largeUploads: { domain: 'files.example.com' },
  alarmEmail: 'ops@example.com',
  monthlyDollars: 100,
  waf: { requestsIn5Minutes: 1_000 },
  edgeLogs: { days: 30 },
  containers: { workers: true },
  vpc: { subnets: ['subnet-0a1b'], securityGroups: ['sg-0a1b'] },
  tables: { Accounts: 'errand-production-AccountsTable-restored' },
  backups: { keepDays: 35, locked: true },
};

/** AWS's bound on a managed policy, in characters without white space. */
const policyCharacters = 6_144;

test.each(Object.entries(deployPolicies()))(
  'the policy for deploying (%s) is the one in the docs and fits AWS',
  (name, document) => {
    const file = `docs/deploy-policy/${name}.json`;
    if (process.env.UPDATE_DOCS) writeFileSync(file, `${JSON.stringify(document, null, 2)}\n`);
    const text = readFileSync(file, 'utf8');
    expect(JSON.parse(text)).toEqual(document);
    expect(text.replace(/\s/g, '').length).toBeLessThanOrEqual(policyCharacters);
    expect(text).not.toMatch(/"[a-z0-9-]+:\*"/);
  },
);

test.skipIf(!canEvaluate)(
  'the policy for deploying has what each type of resource of a stage needs, for no other type and for names of stages alone',
  async () => {
    const stack = await evaluate('production', { changes: everything });
    const made = stack.resources.filter(({ type }) => type.startsWith('aws:'));
    const types = [...new Set(made.map(({ type }) => type.slice('aws:'.length)))];
    expect(types.sort()).toEqual(deployedTypes.toSorted());
    const named = ['iam/role:Role', 'dynamodb/table:Table', 'lambda/function:Function', 'sqs/queue:Queue'];
    for (const { type, inputs, readAs } of made)
      if (readAs === undefined && named.includes(type.slice('aws:'.length)))
        expect(inputs.name).toMatch(/^errand-production-/);
  },
  evaluationMilliseconds,
);
