import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { locationOf, settingsOf } from '../../infra/settings.ts';
import { checkSettings } from '../../scripts/check-settings.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, unwrap } from '../support/sst/stack.ts';

test.each(['production', 'staging', 'somebody'])(
  'the settings of %s are those of functions that start',
  async (stage) => {
    await expect(checkSettings(settingsOf(stage))).resolves.toBeUndefined();
  },
);

test('all that functions would refuse of the environment is told at once', async () => {
  const { catalogue } = settingsOf('production');
  const environment = { RATE_LIMIT_REQUESTS: '6OO', SKILLS_ENABLED: 'no', SEARCH_PROVIDER: 'searxng' };
  await expect(checkSettings({ catalogue, environment })).rejects.toThrow(
    /^SKILLS_ENABLED .*\nRATE_LIMIT_REQUESTS must be a whole number\nSEARCH_BASE_URL must be set for searxng$/,
  );
});

test('a catalogue that functions would refuse is told', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const catalogue = path.join(folder, 'catalogue.json');
  const text = await readFile(settingsOf('production').catalogue, 'utf8');
  await writeFile(catalogue, text.replace('inputPerMillionTokens', 'inputPerMillionToken'));
  await expect(checkSettings({ catalogue, environment: {} })).rejects.toThrow('price.inputPerMillionTokens');
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

  test('shows all its functions in a preview, though the logs that they write are not made yet', async () => {
    const { of } = await evaluate('somebody', { unmade: 'aws:cloudwatch/logGroup:LogGroup' });
    expect(of('aws:lambda/function:Function')).toHaveLength(Object.keys(functionShapes).length);
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
