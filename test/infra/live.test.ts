import { beforeAll, describe, expect, test } from 'vitest';
import { functionShapes, toPascalCase } from '../../infra/functions.ts';
import type { FunctionName } from '../../infra/permissions.ts';
import type { BuildRequest } from '../support/sst/cli-server.ts';
import { expectedStatements, policyOf } from '../support/sst/policies.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack, unwrap } from '../support/sst/stack.ts';

const names = Object.keys(functionShapes) as FunctionName[];

describe.skipIf(!canEvaluate)('a stage in live development', () => {
  let deployed: Stack;
  let live: Stack;
  beforeAll(async () => {
    const changes = { largeUploads: { domain: 'uploads.example.com' } };
    [deployed, live] = await Promise.all([
      evaluate('somebody', { changes }),
      evaluate('somebody', { changes, dev: true }),
    ]);
  }, 2 * evaluationMilliseconds);

  test("runs every function on the developer's machine, from the same sources and with the same files", () => {
    expect(live.builds).toEqual([]);
    expect(madeOf(live.live)).toEqual(madeOf(deployed.builds));
  });

  test.each(names)("gives the stand-in of %s the function's environment, timeout and permissions", (name) => {
    const id = `${toPascalCase(name)}Handler`;
    const standIn = live.one('aws:lambda/function:Function', `${id}Function`).inputs;
    const original = deployed.one('aws:lambda/function:Function', `${id}Function`).inputs;
    expect(standIn).toMatchObject({ timeout: original.timeout, memorySize: original.memorySize });
    expect(environmentOf(standIn)).toEqual(expect.arrayContaining(environmentOf(original)));
    const role = live.one('aws:iam/role:Role', `${id}Role`).inputs;
    // The other statements are SST's, for its connection to the developer's machine.
    const { statements } = policyOf(role);
    expect(statements.filter(([resource]) => !/^(\*|arn:aws:s3:::sst-asset-test.*)$/.test(resource))).toEqual(
      expectedStatements(name),
    );
    // The developer's machine assumes the role, so it has the function's permissions.
    expect(JSON.stringify(role.assumeRolePolicy)).toContain(':root');
  });

  test.each([
    'aws:lambda/eventSourceMapping:EventSourceMapping',
    'aws:cloudfront/keyvaluestoreKeysExclusive:KeyvaluestoreKeysExclusive',
    'aws:sqs/queue:Queue',
    'aws:dynamodb/table:Table',
    'aws:ecs/service:Service',
  ])('has what a deployed stage has of %s', (type) => {
    expect(namesOf(deployed, type)).not.toEqual([]);
    expect(namesOf(live, type)).toEqual(namesOf(deployed, type));
  });

  test('has neither versions nor aliases, which nobody would move, and a URL for each that has one when deployed', () => {
    for (const { inputs } of live.of('aws:lambda/function:Function')) expect(inputs.publish).toBe(false);
    expect(live.of('aws:lambda/alias:Alias')).toEqual([]);
    const newest = deployed
      .of('aws:lambda/functionUrl:FunctionUrl')
      .filter(({ inputs }) => inputs.qualifier === undefined)
      .map(({ name }) => name);
    expect(newest).not.toEqual([]);
    expect(namesOf(live, 'aws:lambda/functionUrl:FunctionUrl')).toEqual(newest.sort());
    for (const { inputs } of live.of('aws:lambda/eventSourceMapping:EventSourceMapping'))
      expect(inputs.functionName).not.toContain(':live');
  });
});

/** The names of resources, without the hash that SST adds to the name of a subscription. */
const namesOf = (stack: Stack, type: string): string[] =>
  stack
    .of(type)
    .map(({ name }) => name.replace(/(?<=Subscriber)[A-Z][a-z]{5}/, ''))
    .sort();

const madeOf = (requests: readonly BuildRequest[]) =>
  requests
    .map(({ functionID, handler, copyFiles }) => ({ functionID, handler, copyFiles }))
    .sort((a, b) => a.functionID.localeCompare(b.functionID));

const environmentOf = (inputs: Record<string, unknown>): string[] =>
  Object.keys(unwrap<{ variables: object }>(inputs.environment).variables);
