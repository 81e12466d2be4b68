import { beforeAll, describe, expect, test } from 'vitest';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';

describe.skipIf(!canEvaluate)('a stage with containers', () => {
  let stack: Stack;
  beforeAll(async () => {
    const containers = { chat: { domain: 'chat.example.com' }, workers: true };
    stack = await evaluate('production', { changes: { domain: 'api.example.com', containers } });
  }, evaluationMilliseconds);
  test('x', () => {
    for (const r of stack.resources) if (/Container|Network/.test(r.name) || /ecs|lb|autoscal|ec2/.test(r.type)) console.log(r.type, r.name, JSON.stringify(r.inputs).slice(0, 3000), r.ignored);
  });
});
