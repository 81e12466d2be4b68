import { percentiles, printTable } from '../figures.ts';
import { startBenchUpstream, startPassThrough, timePost } from './servers.ts';
import { startBenchService } from './service.ts';

const options = 255;
const warmUp = 200;
const requests = 1_000;

interface Case {
  name: string;
  body: Buffer;
  answer: string;
}

/** Questions that share the context: their options are numbers, one token each. */
function makeCase(questions: number): Case {
  const keys = Array.from({ length: options }, (_, option) => String(option));
  const criteria = Object.fromEntries(keys.map((key) => [key, null]));
  const probabilities = Object.fromEntries(keys.map((key) => [key, 1 / options]));
  const ids = Array.from({ length: questions }, (_, question) => `q${question}`);
  const asked = ids.map((id) => [id, { type: 'choice', instructions: 'Which one?', criteria }]);
  const answered = ids.map((id) => [id, { type: 'choice', choice: '0', probabilities, confidence: 0 }]);
  const request = { model: 'judge', state: 'A short case.', questions: Object.fromEntries(asked) };
  return {
    name: `${questions} question${questions > 1 ? 's' : ''} of ${options} options`,
    body: Buffer.from(JSON.stringify(request)),
    answer: JSON.stringify({
      answers: Object.fromEntries(answered),
      usage: { input_tokens: questions * options, output_tokens: 0 },
    }),
  };
}

/**
 * What the decision endpoint adds to its upstream's own time, beside a plain pass-through: sequential requests over
 * kept connections, the two taking turns, all in this process.
 */
export default async function run(): Promise<void> {
  const upstream = await startBenchUpstream();
  const plain = await startPassThrough(upstream.url);
  const service = await startBenchService(upstream.url);
  const added = async (url: string, { body }: Case) =>
    (await timePost(url, body, service.key)) - upstream.ownMilliseconds();
  const rows: string[][] = [];
  for (const size of [1, 32]) {
    const made = makeCase(size);
    upstream.answer(made.answer);
    const times = {
      'pass-through': [] as number[],
      errand: [] as number[],
      'errand but for its requests to DynamoDB': [] as number[],
    };
    const rounds = size === 1 ? requests : requests / 4;
    for (let i = 0; i < warmUp + rounds; i++) {
      const through = await added(plain.url, made);
      service.takeStoreMilliseconds();
      const errand = await added(service.url, made);
      const store = service.takeStoreMilliseconds();
      if (i < warmUp) continue;
      times['pass-through'].push(through);
      times.errand.push(errand);
      times['errand but for its requests to DynamoDB'].push(errand - store);
    }
    for (const [through, values] of Object.entries(times)) {
      const { p50, p99 } = percentiles(values);
      rows.push([made.name, through, toText(p50), toText(p99)]);
    }
  }
  await Promise.all([service.close(), plain.close(), upstream.close()]);
  printTable(['request', 'through', 'added p50', 'added p99'], rows);
}

const toText = (milliseconds: number): string => `${milliseconds.toFixed(2)} ms`;
