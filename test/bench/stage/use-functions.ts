import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import type { LambdaRequest, LambdaResponse } from '../../support/lambda/http.ts';

export const responseBody = { model: 'writer', stream: true, input: 'Hello' };
export const chatBody = { model: 'writer', stream: true, messages: [{ role: 'user', content: 'Hello' }] };
export const decisionBody = { model: 'judge', state: 'a case', questions: { q: { type: 'noul' } } };

const json = { 'Content-Type': 'application/json' };

export const post = (
  target: CloudFunction,
  path: string,
  body: object,
  key?: string,
): Promise<LambdaResponse> =>
  target.request(path, { method: 'POST', headers: json, body: JSON.stringify(body), ...(key && { key }) });

/** The body of an answer that must be a success. */
export async function read(answering: Promise<LambdaResponse>): Promise<Buffer> {
  const { statusCode, bytes, failure } = await answering;
  const body = await bytes();
  const failed = await failure;
  if (statusCode >= 300 || failed) throw new Error(`${statusCode} ${body} ${JSON.stringify(failed)}`);
  return body;
}

/** Reads a stream to its end. Calls `begun` at its first piece. */
export async function follow(answering: Promise<LambdaResponse>, begun: () => void): Promise<void> {
  const { statusCode, pieces, failure } = await answering;
  for await (const _ of pieces) begun();
  const failed = await failure;
  if (statusCode !== 200 || failed) throw new Error(`${statusCode} ${JSON.stringify(failed)}`);
}

export const get = (
  target: CloudFunction,
  path: string,
  options: LambdaRequest & { key?: string | null } = {},
): Promise<Buffer> => read(target.request(path, options));

export async function createRun(
  agents: CloudFunction,
  question: string,
  more: { effort?: 'high' } = {},
): Promise<string> {
  const body = await read(post(agents, '/v1/agents/runs', { question, ...more }));
  return (JSON.parse(body.toString()) as { agentId: string }).agentId;
}

/** Creates a run with a file that is converted in the request. */
export async function createRunWith(agents: CloudFunction, name: string, file: Uint8Array): Promise<void> {
  const form = new FormData();
  form.set('question', 'What is in it?');
  form.set('file', new Blob([new Uint8Array(file)]), name);
  const encoded = new Response(form);
  await get(agents, '/v1/agents/runs', {
    method: 'POST',
    headers: { 'Content-Type': encoded.headers.get('Content-Type') ?? '' },
    body: Buffer.from(await encoded.arrayBuffer()),
  });
}

/** Gives the worker the next message of the queue. */
export const workOnce = (cloud: Cloud, worker: CloudFunction): Promise<void> => workOnAll(cloud, worker, 1);

/** Gives the worker so many messages of the queue in one invocation. */
export async function workOnAll(cloud: Cloud, worker: CloudFunction, runs: number): Promise<void> {
  const Records: unknown[] = [];
  for (let run = 0; run < runs; run++) Records.push(await cloud.receive());
  const { chunks, failure } = worker.invoke({ Records }, { milliseconds: 900_000 });
  const pieces: Buffer[] = [];
  for await (const piece of chunks) pieces.push(piece);
  const answer = Buffer.concat(pieces).toString();
  if ((await failure) || !answer.includes('"batchItemFailures":[]')) throw new Error(`the worker: ${answer}`);
}
