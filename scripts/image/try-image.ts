import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { root } from '../bundle-function.ts';
import { type RunningImage, startImage } from './start-image.ts';

const say = (text: string) => console.log(text);
const document = path.join(root, 'packages/documents/fixtures/office.pdf');

/**
 * Starts the image on an empty volume, has it read a document, stops it, and finds the answer again at the next start.
 * Says what it sees. Throws if anything is not as it should be.
 */
export async function tryImage(tag: string): Promise<void> {
  const volume = mkdtempSync(path.join(tmpdir(), 'errand-volume-'));
  // A volume begins as a copy of the image's folder, which belongs to the user `node`.
  chownSync(volume, 1000, 1000);
  try {
    await using first = await startImage(`localhost/${tag}`, volume);
    const { id, answer } = await ask(first);
    await stop(first);
    say(`The volume has ${readdirSync(volume).join(', ')}.`);
    await using second = await startImage(`localhost/${tag}`, volume);
    expectSame(second.apiKey, first.apiKey, 'the key');
    expectSame((await readRun(second, id)).result, answer, 'the answer');
    say('Another container on the same volume has the same key and the same answer.');
    await stop(second);
  } finally {
    rmSync(volume, { recursive: true });
  }
}

async function ask(image: RunningImage): Promise<{ id: string; answer: unknown }> {
  const form = new FormData();
  form.set('question', 'What does it say about ships?');
  form.set('file', new Blob([readFileSync(document)], { type: 'application/pdf' }), 'office.pdf');
  const created = await request(image, '/v1/agents/runs', { method: 'POST', body: form });
  const id = String(((await created.json()) as { agentId: unknown }).agentId);
  // The stream ends when the run has ended.
  const events = await (await request(image, `/v1/agents/runs/${id}/stream`)).text();
  const { status, result, citations } = await readRun(image, id);
  expectSame(status, 'succeeded', 'the status');
  say(
    `${events.match(/^event: .*$/gm)?.length} events, ${JSON.stringify(citations)?.length} characters of citations:`,
  );
  say(`  ${result}`);
  return { id, answer: result };
}

async function readRun(image: RunningImage, id: string): Promise<Record<string, unknown>> {
  return (await request(image, `/v1/agents/runs/${id}`)).json() as Promise<Record<string, unknown>>;
}

async function request(
  { baseUrl, apiKey }: RunningImage,
  route: string,
  init: RequestInit = {},
): Promise<Response> {
  const response = await fetch(`${baseUrl}${route}`, {
    ...init,
    headers: { Authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.timeout(60_000),
  });
  say(`${init.method ?? 'GET'} ${route} -> ${response.status}`);
  if (!response.ok) throw new Error(await response.text());
  return response;
}

async function stop(image: RunningImage): Promise<void> {
  const from = performance.now();
  const status = await image.terminate();
  const seconds = (performance.now() - from) / 1000;
  say(`SIGTERM -> status ${status} after ${seconds.toFixed(1)} s`);
  expectSame(status, 0, 'the exit status');
  if (seconds > 15) throw new Error('the stop took more than 15 s');
}

function expectSame(found: unknown, wanted: unknown, what: string): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new Error(`${what} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`);
}
