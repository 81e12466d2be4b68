import { checks, cost, createScene, smoke } from '@errand/smoke';
import { beforeAll, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';
import { type Breakable, startBreakable } from './support/breakable.ts';

let breakable: Breakable;
let provider: Provider;
let service: TestService;
useService(
  (started) => ({ provider, service } = started),
  ({ baseUrl }) => {
    const dear = {
      id: 'dear',
      kind: 'chat',
      description: 'A dear model.',
      upstream: { baseUrl, model: 'dear' },
      price: { inputPerMillionTokens: 15, outputPerMillionTokens: 75 },
      contextTokens: 32_768,
    };
    return { catalogue: { models: [dear], roles: { reasoning: 'dear' } } };
  },
);
beforeAll(async () => {
  breakable = await startBreakable();
  breakable.forwardTo(service.baseUrl);
  return () => breakable.close();
});

const newScene = () =>
  createScene({ baseUrl: breakable.baseUrl, key: service.apiKey, secondKey: service.apiKey });

test('a model that is too expensive is asked nothing, and each check that would ask it says so', async () => {
  const rows = await smoke(newScene(), checks);
  expect(rows.filter(({ result }) => result === 'failed')).toEqual([]);
  const skipped = rows.filter(({ seen }) =>
    seen.includes('model dear is too expensive for this check; name another with --model'),
  );
  expect(skipped.map(({ check }) => check)).toEqual([
    'chat as the model writes',
    'a message',
    'a run, created and streamed',
    'a run, resumed by id',
    'a run, cancelled',
    '100 cancels at once',
    'saved values with odd names',
    "a saved file's link",
    'two keys on one path at once',
    'a link to upload',
    'a document is read',
    '100 charges at once',
  ]);
  expect(provider.requests).toEqual([]);
});

test.each([
  ['a model that was not named', {}, '0.050000001', '0.05 EUR; --model lets it cost more'],
  ['a model that was named', { model: 'dear' }, '1.000000001', '1 EUR'],
])('checks with %s that have cost more than they may fail "the cost"', async (_, named, spent, words) => {
  const scene = createScene({ baseUrl: breakable.baseUrl, key: service.apiKey, ...named });
  const page = { entries: [{ requestId: `${scene.id}-1`, amount: `-${spent}` }] };
  breakable.break({
    of: ({ path }) => path.startsWith('/v1/credits/entries'),
    answer: (answered) => ({ ...answered, body: Buffer.from(JSON.stringify(page)) }),
  });
  const [row] = await smoke(scene, [cost]);
  breakable.break(undefined);
  expect(row).toMatchObject({
    result: 'failed',
    seen: `${spent} EUR, with the model dear: more than ${words}`,
  });
});
