import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { limits } from '@errand/platform';
import { describe, expect, onTestFinished, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { locationOf, type Settings, settingsOf } from '../../infra/settings.ts';
import { checkSettings } from '../../scripts/check-settings.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, unwrap } from '../support/sst/stack.ts';

test.each(['production', 'staging', 'somebody'])(
  'the settings of %s let the functions start',
  async (stage) => {
    await expect(checkSettings(settingsOf(stage))).resolves.toBeUndefined();
  },
);

test('a function that another one calls times out before its caller does', () => {
  const milliseconds = functionShapes.converter.timeoutSeconds * 1000;
  expect(milliseconds).toBeLessThan(limits.calledFunctionMilliseconds);
});

test('everything in the environment that functions would refuse is listed at once', async () => {
  const { catalogue } = settingsOf('production');
  const environment = { RATE_LIMIT_REQUESTS: '6OO', SKILLS_ENABLED: 'no', SEARCH_PROVIDER: 'searxng' };
  await expect(checkSettings({ catalogue, environment })).rejects.toThrow(
    /^SKILLS_ENABLED .*\nRATE_LIMIT_REQUESTS must be a whole number\nSEARCH_BASE_URL must be set for searxng$/,
  );
});

test('a catalogue that functions would refuse is reported', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const catalogue = path.join(folder, 'catalogue.json');
  const text = await readFile(settingsOf('production').catalogue, 'utf8');
  await writeFile(catalogue, text.replace('inputPerMillionTokens', 'inputPerMillionToken'));
  await expect(checkSettings({ catalogue, environment: {} })).rejects.toThrow('price.inputPerMillionTokens');
});

test('reserved concurrency that AWS would refuse, or that would starve the queue, is reported', async () => {
  const { catalogue } = settingsOf('production');
  const check = (reservedConcurrency: object) =>
    checkSettings({ catalogue, environment: {}, runsAtOnce: 100, reservedConcurrency });
  await expect(check({ agents: 50, worker: 100, chat: 0 })).resolves.toBeUndefined();
  await expect(check({ agents: -1, chat: 1.5, worker: 99, gateway: 5 })).rejects.toThrow(
    [
      'reservedConcurrency.agents must be a whole number',
      'reservedConcurrency.chat must be a whole number',
      'reservedConcurrency: there is no function gateway',
      'reservedConcurrency.worker must be at least runsAtOnce, 100',
    ].join('\n'),
  );
});

test('a certificate that CloudFront does not take is reported, and any form of a domain is read', async () => {
  const { catalogue } = settingsOf('production');
  const check = (domain: Settings['domain']) => checkSettings({ catalogue, environment: {}, domain });
  const name = 'api.example.com';
  const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/0b8f7d1e`;
  for (const domain of [undefined, '', name, { name, certificate: certificate('us-east-1') }])
    await expect(check(domain)).resolves.toBeUndefined();
  for (const given of [certificate('eu-central-1'), '', 'a certificate'])
    await expect(check({ name, certificate: given })).rejects.toThrow(
      'domain.certificate must be the ARN of a certificate of AWS Certificate Manager in us-east-1',
    );
});

test('a rate that AWS would refuse, and a sum that nobody would be told of, are reported', async () => {
  const { catalogue } = settingsOf('production');
  const check = (bounds: Pick<Settings, 'waf' | 'monthlyDollars' | 'alarmEmail'>) =>
    checkSettings({ catalogue, environment: {}, ...bounds });
  const alarmEmail = 'ops@example.com';
  await expect(
    check({ waf: { requestsIn5Minutes: 10 }, monthlyDollars: 0.5, alarmEmail }),
  ).resolves.toBeUndefined();
  await expect(check({ waf: { requestsIn5Minutes: 9 }, monthlyDollars: -1 })).rejects.toThrow(
    [
      'waf.requestsIn5Minutes must be a whole number from 10 to 2,000,000,000',
      'monthlyDollars must be a number over 0',
      'monthlyDollars needs alarmEmail, which its mails are sent to',
    ].join('\n'),
  );
  await expect(check({ waf: { requestsIn5Minutes: 10.5 }, alarmEmail })).rejects.toThrow('whole number');
});

describe.skipIf(!canEvaluate)('the stack', { timeout: evaluationMilliseconds }, () => {
  test('is refused before anything of it is made if its functions would not start', async () => {
    const environment = { RATE_LIMIT_REQUESTS: '6OO' };
    await expect(evaluate('somebody', { changes: { environment } })).rejects.toThrow(
      'RATE_LIMIT_REQUESTS must be a whole number',
    );
  });

  test('asks for the key of a search provider that needs one', async () => {
    const environment = { SEARCH_PROVIDER: 'brave' };
    await expect(evaluate('somebody', { changes: { environment } })).rejects.toThrow('SearchApiKey');
  });

  test('shows all its functions in a preview, although their log groups do not exist yet', async () => {
    const { of } = await evaluate('somebody', { unmade: 'aws:cloudwatch/logGroup:LogGroup' });
    expect(of('aws:lambda/function:Function')).toHaveLength(Object.keys(functionShapes).length);
  });

  test('reserves no concurrency by default, and what the settings say otherwise: then the deploy tells what it needs', async () => {
    const byDefault = await evaluate('somebody');
    const functions = byDefault.of('aws:lambda/function:Function');
    expect(functions.map(({ inputs }) => inputs.reservedConcurrentExecutions)).toEqual(
      functions.map(() => undefined),
    );
    expect(byDefault.outputs).not.toHaveProperty('concurrency');
    const reserving = await evaluate('somebody', {
      changes: { reservedConcurrency: { agents: 50, chat: 80 } },
    });
    const reserved = (id: string) =>
      reserving.one('aws:lambda/function:Function', id).inputs.reservedConcurrentExecutions;
    expect([reserved('AgentsHandlerFunction'), reserved('ChatHandlerFunction')]).toEqual([50, 80]);
    expect(reserved('WorkerHandlerFunction')).toBeUndefined();
    expect(reserving.outputs.concurrency).toMatch(
      /^130 reserved \(agents 50, chat 80\)\. AWS keeps 100 unreserved, .* must be at least 230, besides/,
    );
  });

  test('has its location from its region', async () => {
    const { app, of } = await evaluate('somebody', { changes: { region: 'us-east-1' } });
    expect(app.providers).toMatchObject({ aws: { region: 'us-east-1' } });
    const functions = of('aws:lambda/function:Function');
    expect(functions.length).toBeGreaterThan(0);
    for (const { inputs } of functions)
      expect(unwrap<{ variables: object }>(inputs.environment).variables).toMatchObject({ LOCATION: 'us' });
    expect(() => locationOf('ap-south-1')).toThrow('neither in the EU');
  });
});
