import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressOf, createScene, type Scene, smoke, stageChecks } from '@errand/smoke';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canEvaluate, evaluate, evaluationMilliseconds, type Stack } from '../../support/sst/stack.ts';
import { beUsed, domainName, type FakeStage, fakeStage } from '../support/fake-stage.ts';

describe.skipIf(!canEvaluate)('a deployed stage', () => {
  let production: Stack;
  let somebody: Stack;
  let functions: Server;
  let functionUrl: string;
  let refusal: { status: number; text: string };
  let stage: FakeStage;
  let scene: Scene;
  beforeAll(async () => {
    [production, somebody] = await Promise.all([evaluate('production'), evaluate('somebody')]);
    functions = createServer((_, response) => response.writeHead(refusal.status).end(refusal.text));
    functions.listen(0, '127.0.0.1');
    await once(functions, 'listening');
    functionUrl = `http://127.0.0.1:${(functions.address() as AddressInfo).port}/`;
  }, evaluationMilliseconds);
  afterAll(() => {
    functions?.closeAllConnections();
    functions?.close();
  });
  beforeEach(() => {
    refusal = { status: 403, text: '{"error":"Forbidden"}' };
    scene = createScene({ baseUrl: `https://${domainName}`, key: 'a key' });
    stage = fakeStage(production, 'production', functionUrl);
    beUsed(stage, scene);
  });

  test('is found by its name, and passes every check', async () => {
    expect(await addressOf(stage.deps)).toBe(`https://${domainName}`);
    const rows = await smoke(scene, stageChecks(stage.deps));
    expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(rows).toHaveLength(6);
  });

  test('has no dashboard if it is not permanent, and passes the others', async () => {
    const own = fakeStage(somebody, 'somebody', functionUrl);
    beUsed(own, scene);
    const rows = await smoke(scene, stageChecks(own.deps));
    expect(rows.map(({ result }) => result)).toEqual([...Array(5).fill('passed'), 'skipped']);
    expect(rows.at(-1)?.seen).toContain('not permanent');
  });

  test('is waited for while its logs and metrics come', async () => {
    const late = fakeStage(production, 'production', functionUrl);
    const wait = async () => {
      if (++late.waits === 3) beUsed(late, scene);
    };
    const rows = await smoke(scene, stageChecks({ ...late.deps, wait }));
    expect(rows.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(late.waits).toBe(3);
  });

  const linesOf = (name: string): string[] => stage.lines.get(`/errand/production/${name}`) ?? [];

  const broken: { what: string; check: string; seen: RegExp; breakIt(): void }[] = [
    {
      what: 'whose function URL answers strangers',
      check: 'function URLs refuse strangers',
      seen: /: 200/,
      breakIt: () => {
        refusal = { status: 200, text: '{"status":"ok"}' };
      },
    },
    {
      what: 'whose function URL is refused by AWS, not by us',
      check: 'function URLs refuse strangers',
      seen: /: 403 \{"Message"/,
      breakIt: () => {
        refusal = { status: 403, text: '{"Message":"Forbidden"}' };
      },
    },
    {
      what: 'at another address',
      check: 'the distribution',
      seen: /the stage is at .*, not at https:\/\/api.example.com/,
      breakIt: () => {
        scene = { ...scene, baseUrl: 'https://api.example.com' };
      },
    },
    {
      what: "whose default origin is SST's",
      check: 'the distribution',
      seen: /go to placeholder.sst.dev/,
      breakIt: () => {
        stage.origin.domainName = 'placeholder.sst.dev';
      },
    },
    {
      what: 'whose default origin is spoken to in clear',
      check: 'the distribution',
      seen: /over http-only/,
      breakIt: () => {
        stage.origin.originProtocolPolicy = 'http-only';
      },
    },
    {
      what: 'that caches',
      check: 'the distribution',
      seen: /its cache policy is/,
      breakIt: () => {
        stage.behavior.cachePolicyId = '658327ea-f89d-4fab-a63d-7e88639e58f6';
      },
    },
    {
      what: 'that compresses',
      check: 'the distribution',
      seen: /it compresses/,
      breakIt: () => {
        stage.behavior.compress = true;
      },
    },
    {
      what: 'that redirects requests in clear',
      check: 'the distribution',
      seen: /for requests in clear is redirect-to-https/,
      breakIt: () => {
        stage.behavior.viewerProtocolPolicy = 'redirect-to-https';
      },
    },
    {
      what: 'that sends the paths of skills to another function',
      check: 'log groups',
      seen: /in the log of skills$/,
      breakIt: () => linesOf('site').push(...linesOf('skills').splice(0)),
    },
    {
      what: 'whose worker does not start',
      check: 'log groups',
      seen: /in the log of worker$/,
      breakIt: () => linesOf('worker').splice(0),
    },
    {
      what: 'whose converter is never called',
      check: 'log groups',
      seen: /in the log of converter$/,
      breakIt: () => linesOf('converter').splice(0),
    },
    {
      what: 'that does not count the streams of runs',
      check: 'metrics',
      seen: /for run-streams$/,
      breakIt: () => stage.sums.delete('failed run-streams'),
    },
    {
      what: 'whose functions lack a permission',
      check: 'no AccessDenied',
      seen: /errand\/production\/agents$/,
      breakIt: () => linesOf('agents').push('{"error":{"name":"AccessDeniedException"}}'),
    },
    {
      what: 'that does not count the requests of chat',
      check: 'metrics',
      seen: /counted in Errand\/production for chat$/,
      breakIt: () => stage.sums.delete('failed chat'),
    },
    {
      what: 'whose dashboard asks for metrics of another name',
      check: 'the dashboard',
      seen: /it does not show inputTokens/,
      breakIt: () => {
        stage.dashboard = stage.dashboard?.replace('inputTokens', 'tokensIn');
      },
    },
    {
      what: 'whose dashboard stays empty',
      check: 'the dashboard',
      seen: /it shows nothing for runs/,
      breakIt: () => stage.sums.delete('runs'),
    },
  ];

  test.each(broken)('$what fails "$check" alone', async ({ check, seen, breakIt }) => {
    breakIt();
    const rows = await smoke(scene, stageChecks(stage.deps));
    const failed = rows.filter(({ result }) => result !== 'passed');
    expect(failed).toMatchObject([{ check, result: 'failed', seen: expect.stringMatching(seen) }]);
  });

  test('has a way to fail each check', () => {
    const failed = new Set(broken.map(({ check }) => check));
    const names = stageChecks(stage.deps).map(({ name }) => name);
    expect(names.filter((name) => !failed.has(name))).toEqual([]);
  });
});
