import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checks, createScene, findStageFunctions, headersForNext, smoke } from '@errand/smoke';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { functionShapes } from '../../infra/functions.ts';
import { settingsOf } from '../../infra/settings.ts';
import {
  checkEarlierOrigin,
  checkQuota,
  checkSecrets,
  readSecrets,
} from '../../scripts/deploy/check-before.ts';
import { type DeployDeps, deploy, goBack } from '../../scripts/deploy/deploy.ts';
import { loadBundle } from '../../scripts/deploy/load-bundles.ts';
import { builds } from '../support/builds/index.ts';
import { startEdge } from '../support/sst/edge.ts';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../support/sst/stack.ts';
import {
  deployStack,
  type FakeFunction,
  type FakeLambda,
  publish,
  startFakeLambda,
} from './support/fake-lambda.ts';

const stage = 'production';
const settings = settingsOf(stage);

describe.skipIf(!canEvaluate)('a deploy', () => {
  let stack: Stack;
  let lambda: FakeLambda;
  let edge: Server;
  let baseUrl: string;
  /** Releases whose site does not answer as it must. */
  let sick: string[];
  let said: string[];
  let instant: number;

  beforeAll(async () => {
    stack = await evaluate(stage);
  }, evaluationMilliseconds);

  beforeEach(async () => {
    lambda = await startFakeLambda(stack);
    sick = [];
    said = [];
    instant = 0;
    edge = createServer(async (request, response) => {
      const release = await releaseAt(request.url ?? '/', request.headers as Record<string, string>);
      if (sick.includes(release)) response.writeHead(500).end('sick');
      else response.writeHead(200).end('{"status":"ok"}');
    });
    edge.listen(0, '127.0.0.1');
    await once(edge, 'listening');
    baseUrl = `http://127.0.0.1:${(edge.address() as AddressInfo).port}`;
    expect(await deploy(depsOf('1'))).toBe(0);
    expect(await deploy(depsOf('2'))).toBe(0);
    said = [];
    lambda.changes = [];
    lambda.invoked = [];
  });
  afterEach(async () => {
    edge.closeAllConnections();
    edge.close();
    await lambda.close();
  });

  const of = (name: string): FakeFunction =>
    [...lambda.functions.values()].find((each) => each.name.includes(`-${name}HandlerFunction`))!;
  const withAlias = () => [...lambda.functions.values()].filter(({ alias }) => alias);

  /** The release that the stack's edge sends a request to. */
  async function releaseAt(uri: string, given: Record<string, string> = {}): Promise<string> {
    const headers = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, { value }]));
    const { origin } = await startEdge(stack, { uri, headers }).result;
    const host = origin?.domainName ?? '';
    const url = stack
      .of('aws:lambda/functionUrl:FunctionUrl')
      .find(({ name }) => host.startsWith(`${name.toLowerCase()}.`))!;
    const { latest, versions, alias } = lambda.functions.get(String(url.inputs.functionName))!;
    return url.inputs.qualifier === 'live' ? versions.get(alias!.version)!.release : latest.release;
  }

  async function passes(headers: Record<string, string>): Promise<boolean> {
    const scene = createScene({ baseUrl, key: 'a key', headers });
    const rows = await smoke(
      scene,
      checks.filter(({ name }) => name === 'health'),
    );
    return rows.every(({ result }) => result === 'passed');
  }

  function depsOf(release: string, more: Partial<DeployDeps> = {}): DeployDeps {
    const ofStage = { lambda: lambda.client, stage };
    return {
      ...ofStage,
      listFunctions: () => findStageFunctions(ofStage),
      check: () => checkQuota(lambda.client, settings),
      async sst() {
        deployStack(lambda, stack, release);
        return true;
      },
      smokeNext: async () => passes(await headersForNext(ofStage)),
      smokeLive: () => passes({}),
      tell: (line) => said.push(line),
      now: () => new Date(instant++ * 1_000).toISOString(),
      signal: new AbortController().signal,
      ...more,
    };
  }

  /** What every caller and every queue reaches. */
  function releasesLive(): string[] {
    return [...new Set(withAlias().map(({ alias, versions }) => versions.get(alias!.version)!.release))];
  }

  test('is checked where callers do not reach it, and then serves them, all functions together', async () => {
    const seen: string[][] = [];
    const smokeNext = async () => {
      const next = await headersForNext({ lambda: lambda.client, stage });
      seen.push(
        [await releaseAt('/healthz', next), await releaseAt('/v1/models', next)],
        [await releaseAt('/healthz')],
      );
      return passes(next);
    };
    expect(await deploy(depsOf('3', { smokeNext }))).toBe(0);
    expect(seen).toEqual([['3', '3'], ['2']]);
    expect(releasesLive()).toEqual(['3']);
    expect(await releaseAt('/healthz')).toBe('3');
    expect(said[0]).toMatch(/^These versions serve: .*agents 3.*worker 3/);
  });

  test('starts what no request reaches with nothing to do, before anything serves', async () => {
    await deploy(depsOf('3'));
    expect(lambda.invoked.map((line) => line.replace(/^.*-(\w+)HandlerFunction-\w+ /, '$1 ')).sort()).toEqual(
      ['DeadLetters', 'Schedules', 'Webhooks', 'Worker'].map((name) => `${name} {"Records":[]}`),
    );
  });

  const failures: { what: string; breakIt(): Partial<DeployDeps>; says: RegExp; deployed: boolean }[] = [
    {
      what: 'a missing quota',
      breakIt() {
        lambda.quota = 10;
        return {};
      },
      says: /^Not deployed: the account may run 10 functions at once in eu-central-1, and the settings need 20 .*L-B99A9384/,
      deployed: false,
    },
    {
      what: 'a bundle that does not start',
      breakIt: () => ({ check: async () => loadBundle('chat', await brokenBundle(), settings) }),
      says: /^Not deployed: the bundle of chat does not start: .*a bad bundle/,
      deployed: false,
    },
    {
      what: 'a secret that is not set',
      breakIt: () => ({ check: async () => checkSecrets(settings, readSecrets('Other=1')) }),
      says: /^Not deployed: these secrets are not set \(sst secret set\): OpenaiApiKey\./,
      deployed: false,
    },
    {
      what: 'an earlier secret that was copied without being decrypted',
      breakIt: () => ({
        check: async () =>
          checkSecrets(
            settings,
            readSecrets(
              'OpenaiApiKey=1\nEarlierStoreSecret=v1:8Jq0bWkq2mJ9k0aW:1mX0c2VjcmV0c2VjcmV0c2VjcmV0',
            ),
          ),
      }),
      says: /^Not deployed: EarlierStoreSecret is none of the secrets that a stage makes: /,
      deployed: false,
    },
    {
      what: 'a deploy that SST does not finish',
      breakIt: () => ({
        async sst() {
          deployStack(lambda, stack, '3');
          return false;
        },
      }),
      says: /^SST did not finish the deploy\./,
      deployed: true,
    },
    {
      what: 'a worker that does not start',
      breakIt() {
        lambda.starts = ({ release }) => release !== '3';
        return {};
      },
      says: /^The new versions were not taken: [\w-]+ does not start: .*no handler/,
      deployed: true,
    },
    {
      what: 'a failing check',
      breakIt() {
        sick = ['3'];
        return {};
      },
      says: /^The new versions failed the checks\./,
      deployed: true,
    },
    {
      what: 'an alias that AWS does not move',
      breakIt() {
        let refused = false;
        lambda.refuse = (change) => {
          const now = !refused && change.startsWith('PUT') && change.includes('Chat');
          refused ||= now;
          return now;
        };
        return {};
      },
      says: /^The new versions were not taken: Rate exceeded\./,
      deployed: true,
    },
    {
      what: 'new versions that give callers no right answers',
      breakIt: () => ({
        smokeNext: async () => true,
        async smokeLive() {
          sick = ['3'];
          return passes({});
        },
      }),
      says: /^The new versions were not taken: callers got no right answers from them\./,
      deployed: true,
    },
  ];

  test.each(failures)(
    'leaves the versions from before serving after $what, and says so',
    async ({ breakIt, says, deployed }) => {
      const aliases = structuredClone(withAlias().map(({ alias }) => alias));
      expect(await deploy(depsOf('3', breakIt()))).toBe(1);
      expect(releasesLive()).toEqual(['2']);
      expect(await releaseAt('/v1/chat/completions')).toBe('2');
      expect(withAlias().map(({ alias }) => alias)).toEqual(aliases);
      expect(of('Chat').latest.release).toBe(deployed ? '3' : '2');
      expect(said).toEqual([expect.stringMatching(says)]);
      expect(said[0]).toMatch(/The versions from before serve: .*chat 2/);
      expect(said[0]).not.toContain('\n');
    },
  );

  test('of a new stage serves at once, and a failure says that there is nothing to go back to', async () => {
    lambda.functions.clear();
    lambda.quota = 10;
    expect(await deploy(depsOf('1'))).toBe(1);
    expect(said.at(-1)).toMatch(/^Not deployed: .* Nothing has changed\.$/);
    expect(lambda.functions.size).toBe(0);
    // Runs that containers work on take none of it.
    await checkQuota(lambda.client, { ...settings, containers: { workers: true } });
    lambda.quota = 1_000;
    sick = ['1'];
    expect(await deploy(depsOf('1'))).toBe(1);
    expect(said.at(-1)).toMatch(
      /^The new versions failed the checks\. There are none from before .*agents 1/,
    );
    expect(await goBack(depsOf(''))).toBe(1);
    expect(await deploy(depsOf('2'))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
  });

  test('takes new versions that the checks refuse, or that do not start, if it is told so', async () => {
    sick = ['3'];
    lambda.starts = ({ release }) => release !== '3';
    expect(await deploy(depsOf('3'), { unchecked: true })).toBe(0);
    expect(releasesLive()).toEqual(['3']);
    expect(said.join()).toContain('were taken without the checks');
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
  });

  test('can follow one that failed', async () => {
    sick = ['3'];
    expect(await deploy(depsOf('3'))).toBe(1);
    expect(await deploy(depsOf('4'))).toBe(0);
    expect(releasesLive()).toEqual(['4']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
  });

  test('is taken back by hand, once', async () => {
    await deploy(depsOf('3'));
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
    expect(said.at(-1)).toMatch(/^Back: these versions serve: .*chat 2/);
    expect(await goBack(depsOf(''))).toBe(1);
    expect(said.at(-1)).toMatch(/^There is nothing to go back to in production/);
    expect(releasesLive()).toEqual(['2']);
  });

  test('that was interrupted is taken back as far as it had come', async () => {
    await deploy(depsOf('3'));
    deployStack(lambda, stack, '4');
    const chat = of('Chat');
    chat.alias = { version: 4, description: `deploy ${new Date(9e12).toISOString()}, before it 3` };
    expect(releasesLive().sort()).toEqual(['3', '4']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['3']);
  });

  test('that finishes an interrupted one is taken back as a whole', async () => {
    await deploy(depsOf('3'));
    deployStack(lambda, stack, '4');
    of('Chat').alias = { version: 4, description: `deploy ${new Date(9e12).toISOString()}, before it 3` };
    expect(await deploy(depsOf('4'))).toBe(0);
    expect(releasesLive()).toEqual(['4']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['3']);
  });

  test('that could be neither taken nor taken back tells what serves, and is taken back by hand', async () => {
    const smokeLive = async () => {
      lambda.refuse = (change) => change.startsWith('PUT') && change.includes('Skills');
      return false;
    };
    expect(await deploy(depsOf('3', { smokeLive }))).toBe(1);
    expect(releasesLive().sort()).toEqual(['2', '3']);
    expect(said).toEqual([
      expect.stringMatching(
        /^The new versions were not taken: callers got no right answers from them; and not all could be moved back: Rate exceeded\. These versions serve: .*site 2, skills 3, .* --back$/,
      ),
    ]);
    expect(await goBack(depsOf(''))).toBe(1);
    expect(said.at(-1)).toMatch(
      /^Not all functions went back: Rate exceeded\. These versions serve: .*skills 3.* Try it again\.$/,
    );
    lambda.refuse = () => false;
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
  });

  const interruptAfterChat = () => {
    of('Chat').alias = {
      version: Math.max(...of('Chat').versions.keys()),
      description: `deploy ${new Date(9e12).toISOString()}, before it ${of('Chat').alias!.version}`,
    };
  };

  test('of another release after an interrupted one is taken back to what served before both', async () => {
    await deploy(depsOf('3'));
    deployStack(lambda, stack, '4');
    interruptAfterChat();
    expect(await deploy(depsOf('5'))).toBe(0);
    expect(releasesLive()).toEqual(['5']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['3']);
  });

  test('after an interrupted one that was the second of a stage is taken back to the first', async () => {
    lambda.functions.clear();
    await deploy(depsOf('1'));
    deployStack(lambda, stack, '2');
    interruptAfterChat();
    expect(await deploy(depsOf('3'))).toBe(0);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['1']);
  });

  test('that adds a function leaves the way back of the functions that it does not change', async () => {
    await deploy(depsOf('3'));
    const sst = async () => {
      of('Skills').latest.release = '4';
      of('Chat').alias = { version: 3, description: '' };
      return true;
    };
    expect(await deploy(depsOf('4', { sst }))).toBe(0);
    expect(releasesLive().sort()).toEqual(['3', '4']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['3']);
  });

  test('takes nothing that another deploy changed during the checks', async () => {
    const smokeNext = async () => {
      deployStack(lambda, stack, '4');
      return true;
    };
    expect(await deploy(depsOf('3', { smokeNext }))).toBe(1);
    expect(releasesLive()).toEqual(['2']);
    expect(said).toEqual([
      expect.stringMatching(
        /^The new versions were not taken: another deploy has changed agents, .*worker since they were checked\. The versions from before serve: /,
      ),
    ]);
  });

  test('tells what serves, and can go back to it, if somebody else has moved the versions meanwhile', async () => {
    const back = async () => (await goBack(depsOf(''))) === 0;
    const failing = async () => (await back()) && false;
    expect(await deploy(depsOf('3', { smokeNext: failing }))).toBe(1);
    expect(said.at(-1)).toMatch(/^The new versions failed the checks\. These versions serve: .*chat 1,/);
    deployStack(lambda, stack, '4');
    await deploy(depsOf('4'));
    expect(await deploy(depsOf('5', { smokeNext: back }))).toBe(0);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['1']);
  });

  test.each([true, false])(
    'moves nothing once it was interrupted, with and without checks (unchecked: %s)',
    async (unchecked) => {
      const interrupted = new AbortController();
      const sst = async () => {
        deployStack(lambda, stack, '3');
        interrupted.abort(new Error('interrupted'));
        return true;
      };
      expect(await deploy(depsOf('3', { sst, signal: interrupted.signal }), { unchecked })).toBe(1);
      expect(said).toEqual([
        expect.stringMatching(
          /^The new versions were not taken: interrupted\. The versions from before serve: /,
        ),
      ]);
      expect(releasesLive()).toEqual(['2']);
    },
  );

  test('that changes some functions takes back these alone', async () => {
    await deploy(depsOf('3'));
    const only = async () => {
      of('Chat').latest.release = '4';
      return true;
    };
    expect(await deploy(depsOf('4', { sst: only }))).toBe(0);
    expect(releasesLive().sort()).toEqual(['3', '4']);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['3']);
  });

  test('that changes nothing keeps the way back to what was before', async () => {
    await deploy(depsOf('3'));
    expect(await deploy(depsOf('3'))).toBe(0);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['2']);
  });

  test('deletes old versions, but none that serves, that can be gone back to, or that such a one calls', async () => {
    const converter = of('Converter');
    for (let release = 3; release < 12; release++) {
      const sst = async () => {
        deployStack(lambda, stack, String(release));
        const called = `${converter.name}:${Math.max(...converter.versions.keys())}`;
        for (const each of lambda.functions.values())
          if (each.latest.variables.CONVERTER_FUNCTION !== undefined) {
            each.latest = { release: String(release), variables: { CONVERTER_FUNCTION: called } };
            // SST publishes once, with the converter's version in the environment.
            each.versions.delete(Math.max(...each.versions.keys()));
            publish(each);
          }
        return true;
      };
      // From the fifth on, every deploy fails its checks: what serves grows old.
      const smokeNext = async () => release < 5 || release === 11;
      await deploy(depsOf(String(release), { sst, smokeNext }));
    }
    const kept = [...of('Chat').versions.keys()].sort((a, b) => b - a);
    expect(kept.length).toBeLessThanOrEqual(6);
    expect(await goBack(depsOf(''))).toBe(0);
    expect(releasesLive()).toEqual(['4']);
    for (const { versions } of lambda.functions.values())
      for (const { variables } of versions.values()) {
        const version = /:(\d+)$/.exec(variables.CONVERTER_FUNCTION ?? '')?.[1];
        if (version !== undefined) expect(converter.versions.has(Number(version))).toBe(true);
      }
    expect(lambda.changes.some((change) => change.startsWith('DELETE'))).toBe(true);
  });

  test('refuses an earlier secret of the edge that the serving versions do not accept', async () => {
    const live = withAlias().map(({ name }) => ({ name, functionName: name, version: '2', note: '' }));
    const check = (printed: string) => checkEarlierOrigin(lambda.client, live, readSecrets(printed));
    const [accepted] = of('Agents').latest.variables.ORIGIN_SECRET!.split(',');
    await check('# errand/production\nOpenaiApiKey=1');
    await check(`EarlierOriginSecret=${accepted}`);
    await expect(check('EarlierOriginSecret=another')).rejects.toThrow(
      'none that the serving versions accept',
    );
    const { latest } = of('Agents');
    const ORIGIN_SECRET = `${'n'.repeat(48)},${accepted}`;
    of('Agents').latest = { ...latest, variables: { ...latest.variables, ORIGIN_SECRET } };
    await expect(check('OpenaiApiKey=1')).rejects.toThrow('set EarlierOriginSecret to theirs');
    await check(`EarlierOriginSecret=${accepted}`);
  });
});

const folders: string[] = [];
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'errand-deployed-'));
  folders.push(folder);
  return folder;
}
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** A folder with a bundle that ends when it is loaded. */
async function brokenBundle(): Promise<string> {
  const folder = await newFolder();
  await writeFile(path.join(folder, 'bundle.mjs'), "throw new Error('a bad bundle');");
  return folder;
}

test.each(Object.entries(functionShapes))(
  'the bundle of %s starts with the settings of a stage',
  async (name, { models }) => {
    const folder = await newFolder();
    await cp(await builds.bundle(name, 'deployed'), folder, { recursive: true });
    if (models) await cp(settings.catalogue, path.join(folder, 'catalogue.json'));
    loadBundle(name, folder, settings);
  },
);

test('a bundle without what must lie beside it is told by its function', async () => {
  const folder = await newFolder();
  await cp(await builds.bundle('chat', 'deployed'), folder, { recursive: true });
  expect(() => loadBundle('chat', folder, settings)).toThrow(
    /^the bundle of chat does not start: .*(ENOENT|error)/,
  );
});
