import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { publicSite } from '../../support/lambda/public-site.ts';
import { type RunOf } from '../support/evidence.ts';
import { type InvocationHouse, startHouse, undisturbedInvocation } from '../support/invocation-house.ts';

let house: InvocationHouse;
beforeAll(async () => {
  house = await startHouse();
});
afterAll(() => house.close());

const hostileRun: RunOf = (outside, label) => {
  outside.script(label, (number) => number === 1 ? { calls: [{ name: 'web_crawl', args: { url: `${publicSite}/maze/${label}/a` } }] } : { text: 'Read.' });
  return { question: `Read it [${label} run]` };
};
const peak = (pid: number) => /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
test('measure', async () => {
  const source = house.start({ batchSize: 10 });
  const many = await house.createRuns(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h','i','j']);
  await Promise.all(many.map((s) => s.desk.follow(s.agentId)));
  console.log(source.environments().map(({ pid }) => peak(pid)), source.delivered.length);
  const t = performance.now();
  const [h] = await house.createRuns(['hostile'], hostileRun);
  console.log((await h!.desk.follow(h!.agentId)).map((e) => JSON.stringify(e).slice(0, 200)));
  console.log(source.environments().map(({ pid }) => peak(pid)), performance.now() - t);
  await source.stop();
});
