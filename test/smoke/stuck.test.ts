import { checks, createScene, smoke, takeAway } from '@errand/smoke';
import { beforeAll, expect, test } from 'vitest';
import type { Provider } from '../support/model-server.ts';
import type { TestService } from '../support/service.ts';
import { useService } from '../support/use-service.ts';

let provider: Provider;
let service: TestService;
useService((started) => ({ provider, service } = started));
beforeAll(() => {
  provider.script(() => ({ status: 500 }));
});

const named = (...names: string[]) => checks.filter(({ name }) => names.includes(name));

test('runs whose model provider always fails are given up, and their status is shown', async () => {
  const scene = createScene({ baseUrl: service.baseUrl, key: service.apiKey, runMilliseconds: 3000 });
  const waiting: string[] = [];
  const rows = await smoke(
    scene,
    named('a run, created and streamed', 'a run, resumed by id', 'a run, cancelled'),
    () => {},
    { afterMilliseconds: 100, tellWaiting: (text) => waiting.push(text) },
  );
  const stuck = expect.stringMatching(
    /^the run [\w-]+ has not ended after 3 s: still running: .* see `run waits for the model provider`/,
  );
  expect(rows).toMatchObject([
    { result: 'failed', seen: stuck },
    { result: 'failed', seen: stuck },
    { result: 'passed' },
  ]);
  expect(waiting[0]).toBe('waiting for "a run, created and streamed" ...');
  expect(await takeAway(scene)).toMatch(/^2 runs, 0 values, 0 skills, 0 files gone$/);
});
