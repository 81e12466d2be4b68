import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import { Json } from '@stoplight/spectral-parsers';
import spectralRulesets from '@stoplight/spectral-rulesets';
import { expect, test } from 'vitest';
import { describedApp } from '../support/openapi-document.ts';
import { explained } from './explained.ts';

interface Finding {
  rule: string;
  at: string;
}

const fromPointer = (pointer = '') =>
  pointer
    .replace(/^#\//, '')
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join(' ');

async function redocly(source: string): Promise<Finding[]> {
  const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(({ ruleId, location }) => ({ rule: ruleId, at: fromPointer(location[0]?.pointer) }));
}

async function spectral(source: string): Promise<Finding[]> {
  const checker = new spectralCore.Spectral();
  // The ruleset's own type lacks a field that its definition asks for.
  checker.setRuleset({ extends: [[spectralRulesets.oas as RulesetDefinition, 'recommended']] });
  const results = await checker.run(new spectralCore.Document(source, Json, '/openapi.json'));
  return results.map(({ code, path }) => ({ rule: String(code), at: path.join(' ') }));
}

const explains = (finding: Finding) =>
  explained.some(({ rule, at }) => rule === finding.rule && at === finding.at);

test('Redocly and Spectral find nothing in the document but what is listed with a reason', async () => {
  const source = JSON.stringify((await describedApp()).document);
  const found = [...(await redocly(source)), ...(await spectral(source))];
  expect(found.filter((finding) => !explains(finding))).toEqual([]);
  const stale = explained.filter(
    ({ rule, at }) => !found.some((finding) => finding.rule === rule && finding.at === at),
  );
  expect(stale).toEqual([]);
});

test('Redocly and Spectral find faults of a broken document', async () => {
  const { document } = await describedApp();
  const source = JSON.stringify({
    ...document,
    paths: { '/v1/twice': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } } },
  });
  const rules = new Set([...(await redocly(source)), ...(await spectral(source))].map(({ rule }) => rule));
  expect([...rules]).toEqual(
    expect.arrayContaining(['no-unresolved-refs', 'operation-operationId', 'invalid-ref']),
  );
});
