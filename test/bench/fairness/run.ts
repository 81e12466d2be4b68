import { delay } from '@errand/platform';
import { createParser } from 'eventsource-parser';
import { startProvider } from '../../support/provider.ts';
import { simpleCatalogue, startTestService, type TestService } from '../../support/service.ts';
import { milliseconds, printTable } from '../figures.ts';

const noisyRuns = 1_000;
const noisyQuestion = 'What is all this noise?';
const smallRuns = 5;

/**
 * Measures how long a small account's runs wait for their first event behind 1,000 runs of another account, and with
 * nobody before them: with the stand-in models, and with completions that take some time. `--seconds 1` measures
 * completions of that time alone.
 */
export default async function run(options: string[]): Promise<void> {
  const at = options.indexOf('--seconds');
  const given = at === -1 ? undefined : options[at + 1];
  const rows: string[][] = [];
  for (const seconds of given === undefined ? [undefined, 0, 1, 10] : [Number(given)])
    rows.push(await measure(seconds));
  printTable(['a completion takes', 'first of 5 runs', 'last of 5 runs', 'last of 5 runs, alone'], rows);
}

async function measure(seconds?: number): Promise<string[]> {
  // The noisy account's runs wait for each other, so that all of them are there when the small account comes.
  const gate = Promise.withResolvers<void>();
  const provider = await startProvider(async ({ messages }) => {
    if (JSON.stringify(messages).includes(noisyQuestion)) await gate.promise;
    await delay((seconds ?? 0) * 1000);
    return messages.some(({ role }) => role === 'tool')
      ? { text: 'Done.' }
      : { calls: [{ name: 'write_todos', args: { todos: [] } }] };
  });
  const service = await startTestService(
    seconds === undefined ? {} : { catalogue: simpleCatalogue(provider.baseUrl) },
  );
  const small = await service.newAccount();
  const alone = await firstEvents(service, small.key);
  const noisy = await service.newAccount('100');
  const start = () => service.start({ question: noisyQuestion }, noisy.key);
  for (let i = 0; i < noisyRuns; i += 50) await Promise.all(Array.from({ length: 50 }, start));
  gate.resolve();
  const behind = await firstEvents(service, small.key);
  const figures = [behind[0], behind.at(-1), alone.at(-1)].map((time) => milliseconds(time ?? Number.NaN));
  await service.stop();
  await provider.close();
  return [seconds === undefined ? 'stand-ins' : `${seconds} s`, ...figures];
}

/** The milliseconds from the creation of each of a few runs to its first event, sorted. */
async function firstEvents(service: TestService, key: string): Promise<number[]> {
  const times = await Promise.all(
    Array.from({ length: smallRuns }, async () => {
      const started = performance.now();
      const agentId = await service.start({ question: 'What is measured?' }, key);
      await firstEvent(service, agentId, key);
      return performance.now() - started;
    }),
  );
  return times.toSorted((a, b) => a - b);
}

async function firstEvent(service: TestService, agentId: string, key: string): Promise<void> {
  const response = await service.request(`/v1/agents/runs/${agentId}/stream`, { key });
  let seen = false;
  const parser = createParser({
    onEvent: () => {
      seen = true;
    },
  });
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    parser.feed(decoder.decode(chunk, { stream: true }));
    if (seen) return;
  }
}
