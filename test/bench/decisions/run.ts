import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { percentiles, printTable } from '../figures.ts';
import { startNode } from '../processes.ts';

const options = 255;
const warmUp = 300;
const cases = [
  { questions: 1, pauseMilliseconds: 0, rounds: 1_000 },
  { questions: 1, pauseMilliseconds: 20, rounds: 500 },
  { questions: 32, pauseMilliseconds: 0, rounds: 250 },
  { questions: 32, pauseMilliseconds: 20, rounds: 250 },
];

/** A request with `questions` questions in both dialects, and its answer. The options are numbers, one token each. */
function makeCase(questions: number): { systemOne: string; openAi: string; answer: string } {
  const keys = Array.from({ length: options }, (_, option) => String(option));
  const criteria = Object.fromEntries(keys.map((key) => [key, null]));
  const probabilities = Object.fromEntries(keys.map((key) => [key, 1 / options]));
  // The names that the second dialect's questions have at a System One server.
  const ids = Array.from({ length: questions }, (_, question) => `question_${question + 1}`);
  const instructions = 'Which one?';
  const asked = ids.map((id) => [id, { type: 'choice', instructions, criteria }]);
  const answered = ids.map((id) => [id, { type: 'choice', choice: '0', probabilities, confidence: 0 }]);
  const choices = keys.map((value) => ({ value }));
  const model = 'judge';
  const text = 'A short case.';
  return {
    systemOne: JSON.stringify({ model, state: text, questions: Object.fromEntries(asked) }),
    openAi: JSON.stringify({
      model,
      input: text,
      questions: ids.map((name) => ({ type: 'choice', name, instructions, choices })),
    }),
    answer: JSON.stringify({
      answers: Object.fromEntries(answered),
      usage: { input_tokens: questions * options, output_tokens: 0 },
    }),
  };
}

/**
 * Measures what the decision endpoint adds to its upstream's own time, and what a plain pass-through adds. Both take
 * turns with the same in OpenAI's words, one request at a time over kept connections. Each part runs in a process of its own.
 */
export default async function run(): Promise<void> {
  const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  const dynamo = await startTestDynamo();
  const upstream = await startNode(program('upstream.ts'), []);
  const plain = await startNode(program('pass-through.ts'), [upstream.ready]);
  const errand = await startNode(program('errand.ts'), [upstream.ready, dynamo.endpoint]);
  const [errandUrl = '', key = ''] = errand.ready.split(' ');
  const added = async (url: string, body: string, path = '/v1/systemone') => {
    const took = await timePost(url + path, body, key);
    return took - Number((await send(`${upstream.ready}/own`)).toString());
  };
  const rows: string[][] = [];
  for (const { questions, pauseMilliseconds, rounds } of cases) {
    const { systemOne, openAi, answer } = makeCase(questions);
    await send(`${upstream.ready}/script`, JSON.stringify({ answer, pauseMilliseconds }));
    const times: Record<string, number[]> = { 'pass-through': [], errand: [], "errand, OpenAI's words": [] };
    for (let i = 0; i < (pauseMilliseconds > 0 ? 0 : warmUp) + rounds; i++) {
      const took = [
        await added(plain.ready, systemOne),
        await added(errandUrl, systemOne),
        await added(errandUrl, openAi, '/v1/decisions'),
      ];
      if (pauseMilliseconds === 0 && i < warmUp) continue;
      for (const [at, values] of Object.values(times).entries()) values.push(took[at] ?? 0);
    }
    for (const [through, values] of Object.entries(times)) {
      const { p50, p99 } = percentiles(values);
      rows.push([String(questions), `${pauseMilliseconds} ms`, through, toText(p50), toText(p99)]);
    }
  }
  for (const part of [plain, errand, upstream]) part.stop();
  await dynamo.close();
  printTable(['questions of 255 options', 'model takes', 'through', 'added p50', 'added p99'], rows);
}

const toText = (milliseconds: number): string => `${milliseconds.toFixed(2)} ms`;

const agent = new Agent({ keepAlive: true });

async function timePost(url: string, body: string, key: string): Promise<number> {
  const startedAt = performance.now();
  await send(url, body, key);
  return performance.now() - startedAt;
}

/** The whole body of the answer, over a connection that is kept. */
function send(url: string, body?: string, key?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const headers = {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
    };
    const outgoing = request(url, { method: body === undefined ? 'GET' : 'POST', agent, headers });
    outgoing.once('error', reject);
    outgoing.once('response', (answer: IncomingMessage) => {
      if (answer.statusCode !== 200) return reject(new Error(`answered ${answer.statusCode}`));
      buffer(answer).then(resolve, reject);
    });
    outgoing.end(body);
  });
}
