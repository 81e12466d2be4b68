import { awsSettings, localCatalogue, localQueues } from '@errand/local/testing';
import { createLog, type LogFields, readConfig, silentLog, systemClock } from '@errand/platform';
import { createServiceDeps, createWholeApp, type ServiceDeps, whenCharged } from '@errand/service';
import { makeFileLink } from '@errand/uploads/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { wrapFiles } from '../support/files.ts';
import type { TestService } from '../support/service.ts';
import { useServiceAlone } from '../support/use-service.ts';
import { endpointsOf, png } from '../uploads/support.ts';

type Fault = () => Error;

const fault = (name: string, more: object = {}) => Object.assign(new Error('scripted'), { name, ...more });

/** What is left of a store's failure once all tries are used up. */
const faults: Record<string, Fault> = {
  'does not answer in time': () => fault('TimeoutError'),
  throttles: () => fault('ThrottlingException', { $fault: 'client', $metadata: { httpStatusCode: 400 } }),
  fails: () => fault('InternalServerError', { $fault: 'server', $metadata: { httpStatusCode: 500 } }),
  'cannot be reached': () => fault('Error', { code: 'ECONNREFUSED' }),
};

let service: TestService;
let parts: ServiceDeps;
let catalogue: Awaited<ReturnType<typeof localCatalogue>>;
let app: ReturnType<typeof createWholeApp>;
/** Counts down the calls to tables, queue and bucket. The one that reaches zero fails, and so do all after it. */
let left = Number.POSITIVE_INFINITY;
let calls = 0;
let failure: Fault = () => new Error('none');
let lines: LogFields[] = [];
const failures = () => lines.filter(({ message }) => message === 'request failed');

async function meet(): Promise<void> {
  calls++;
  if (--left <= 0) throw failure();
}

useServiceAlone((started) => ({ service } = started));
beforeAll(async () => {
  const endpoints = await endpointsOf(service);
  const config = readConfig('local', { DATA_DIR: service.dataDir, RATE_LIMIT_REQUESTS: '1000000' });
  catalogue = await localCatalogue(config, silentLog);
  const queues = await localQueues(service.clients.sqs);
  parts = createServiceDeps({
    config: {
      ...config,
      linkSecret,
      storeSecrets: [linkSecret.repeat(2)],
      aws: awsSettings(endpoints, queues),
    },
    catalogue: catalogue.catalogue,
    clock: systemClock,
    log: createLog((line) => void lines.push(JSON.parse(line))),
  });
  const first = { step: 'initialize', priority: 'high', name: 'meet' } as const;
  parts.aws.dynamodb.middlewareStack.add((next) => (args) => meet().then(() => next(args)), first);
  parts.aws.sqs.middlewareStack.add((next) => (args) => meet().then(() => next(args)), first);
  wrapFiles(parts.files, async (_, work) => {
    await meet();
    return work();
  });
  app = createWholeApp(parts);
});

afterAll(async () => {
  await whenCharged(parts);
  await catalogue.stop();
});

beforeEach(() => {
  left = Number.POSITIVE_INFINITY;
});

const ask = async (key: string, method: string, path: string, body?: object | FormData) =>
  app.request(path, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && !(body instanceof FormData) && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: body instanceof FormData ? body : JSON.stringify(body) }),
  });

const capacity = '{"error":"Service temporarily at capacity. Please retry."}';
const degraded = '{"error":"Service temporarily degraded. Please retry.","code":"service_degraded"}';
const overloaded =
  '{"type":"error","error":{"type":"overloaded_error","message":"Service temporarily at capacity. Please retry."},"request_id":"ID"}';
const queue = 'Agent service is unavailable. Please retry.';
const storage = 'Temporary file storage is unavailable';

const messages = [{ role: 'user', content: 'Hello.' }];
const message = { model: 'stand-in', max_tokens: 100, messages };
const form = () => {
  const fields = new FormData();
  fields.set('question', 'What is it?');
  fields.set('file', new Blob([png]), 'dot.png');
  return fields;
};
const linkSecret = 'a secret of this test alone';
const link = makeFileLink(linkSecret, '', { agentId: 'run', name: 'report.md' }, Date.now());
const ids = { run: '', skill: '' };

const requests: [string, string, () => object | FormData | undefined, string[]][] = [
  ['POST', '/v1/agents/runs', () => ({ question: 'What is it?' }), [capacity, queue]],
  ['POST', '/v1/agents/runs', form, [capacity, queue, storage]],
  ['GET', '/v1/agents', () => undefined, [capacity]],
  ['GET', '/v1/agents/runs', () => undefined, [capacity]],
  ['GET', '/v1/agents/runs/RUN', () => undefined, [capacity]],
  ['GET', '/v1/agents/runs/RUN/events', () => undefined, [capacity]],
  ['GET', '/v1/agents/runs/RUN/stream', () => undefined, [capacity]],
  ['POST', '/v1/agents/runs/RUN/cancel', () => undefined, [capacity]],
  ['DELETE', '/v1/agents/runs/RUN', () => undefined, [capacity]],
  ['POST', '/v1/uploads', () => ({ filename: 'a.png', size: 68 }), [capacity, storage]],
  ['GET', '/v1/files/LINK', () => undefined, [capacity]],
  ['GET', '/v1/values', () => undefined, [capacity]],
  ['GET', '/v1/values/name', () => undefined, [capacity]],
  ['DELETE', '/v1/values/name', () => undefined, [capacity]],
  ['GET', '/v1/skills', () => undefined, [capacity]],
  [
    'POST',
    '/v1/skills',
    () => ({ name: `s${Math.random()}`.replace('.', ''), instructions: 'Be brief.' }),
    [capacity],
  ],
  ['GET', '/v1/skills/SKILL', () => undefined, [capacity]],
  ['PATCH', '/v1/skills/SKILL', () => ({ instructions: `Be brief. ${Math.random()}` }), [capacity]],
  ['GET', '/v1/skills/SKILL/versions', () => undefined, [capacity]],
  ['GET', '/v1/skills/SKILL/versions/1', () => undefined, [capacity]],
  ['POST', '/v1/skills/SKILL/versions/1/restore', () => undefined, [capacity]],
  [
    'POST',
    '/v1/systemone',
    () => ({
      model: 'stand-in-decision',
      state: 'S',
      questions: { q: { type: 'noul', instruction: 'Is it?' } },
    }),
    [degraded],
  ],
  ['POST', '/v1/chat/completions', () => ({ model: 'stand-in', messages }), [capacity]],
  ['POST', '/v1/chat/completions', () => ({ model: 'stand-in', messages, skills: 'kept' }), [capacity]],
  ['POST', '/v1/chat/completions', () => ({ model: 'stand-in', messages, stream: true }), [capacity]],
  ['POST', '/v1/messages', () => ({ ...message, skills: 'kept' }), [overloaded]],
  ['POST', '/v1/messages', () => ({ ...message, stream: true }), [overloaded]],
  ['POST', '/v1/messages/count_tokens', () => message, [overloaded]],
  ['GET', '/v1/models', () => undefined, [capacity]],
  ['GET', '/v1/credits', () => undefined, [capacity]],
  ['GET', '/v1/unknown', () => undefined, [capacity]],
];

describe.each(Object.entries(faults))('where a store %s', (_, thrown) => {
  beforeAll(async () => {
    ids.run = await service.start({ question: 'What is it?' });
    await service.follow(ids.run);
    const skill = await service.post('/v1/skills', { name: 'kept', instructions: 'Be brief.' });
    if (skill.status === 201) ids.skill = ((await skill.json()) as { id: string }).id;
  });

  test.each(requests)(
    '%s %s is a 503 that says when to retry, whichever call to the store fails',
    async (method, path, body, bodies) => {
      failure = thrown;
      const route = path
        .replace('RUN', ids.run)
        .replace('SKILL', ids.skill)
        .replace('/v1/files/LINK', link.url);
      let refused = 0;
      for (let call = 1; ; call++) {
        // A key that is new to the process is read from the store too.
        const key = await service.newKey(service.accountId);
        left = call;
        calls = 0;
        lines = [];
        const response = await ask(key, method, route, body());
        const text = await response.text();
        await whenCharged(parts);
        left = Number.POSITIVE_INFINITY;
        if (response.status < 500) {
          // From here on the answer is out before the call that fails, or no call is left to fail.
          if (calls < call) break;
          continue;
        }
        refused++;
        expect([response.status, response.headers.get('Retry-After')], text).toEqual([503, '5']);
        const requestId = response.headers.get('X-Request-Id');
        expect(bodies).toContain(text.replace(`"request_id":"${requestId}"`, '"request_id":"ID"'));
        // A refusal that names its store is logged there.
        const logged = failures().map(({ status, requestId }) => [status, requestId]);
        if (text !== queue && text !== storage) expect(logged).toEqual([[503, requestId]]);
        else expect(logged).toEqual([]);
      }
      expect(refused).toBeGreaterThan(0);
    },
  );
});

test('a bug of the service is a 500', async () => {
  failure = () => new TypeError('ours');
  left = 1;
  lines = [];
  const response = await ask(await service.newKey(service.accountId), 'GET', '/v1/credits');
  expect([response.status, await response.text()]).toEqual([500, '{"error":"Internal server error"}']);
  expect(failures()).toEqual([expect.objectContaining({ level: 'error', status: 500, error: 'TypeError' })]);
});
