import { type Connection, sendJson } from '../connection/connection.ts';
import { readJson, strangeAnswer } from '../connection/read-json.ts';
import { type Retry, withRetries } from '../connection/retry.ts';
import { InvalidRequestError } from '../errors.ts';
import type { components } from '../schema.ts';
import { nameOf } from '../uploads/file-name.ts';
import { type OnProgress, sendBody } from '../uploads/send-body.ts';
import { sendUpload, type UploadOptions } from '../uploads/send-upload.ts';
import { runsPath } from './run-path.ts';

export type NewRun = components['schemas']['NewRun'];

export interface StartOptions {
  /** An image, a recording or a document. Its name's ending decides how it is read. */
  file?: Blob;
  /** The name of a file that has none of its own, or another name for it. */
  filename?: string;
  onProgress?: OnProgress;
  /**
   * Another start with the same key, input and file starts nothing. A new one if absent.
   */
  idempotencyKey?: string;
  /** Called before each pause after which the start is asked for again. */
  onRetry?(retry: Retry): void;
  signal?: AbortSignal;
}

/** What goes along in a form. The edge of a deployed service takes 4,400,000 bytes with all fields. */
const formFileBytes = 3_500_000;

const fieldText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

interface WrittenForm {
  body: Blob;
  contentType: string;
}

/** A form in one piece, so that its length is known before it is sent. */
async function writeForm(input: NewRun, file: Blob, filename: string): Promise<WrittenForm> {
  const form = new FormData();
  for (const [name, value] of Object.entries(input)) {
    if (value !== undefined) form.append(name, fieldText(value));
  }
  form.append('file', file, filename);
  const response = new Response(form);
  // Not the type of the blob: that is in lower case, and the boundary in it too.
  const contentType = response.headers.get('Content-Type') ?? '';
  return { body: await response.blob(), contentType };
}

async function startWithForm(
  connection: Connection,
  { body, contentType }: WrittenForm,
  headers: Record<string, string>,
  { onProgress, signal }: StartOptions,
) {
  return sendBody(connection, {
    ...{ method: 'POST', url: `${connection.baseUrl}${runsPath}`, body, onProgress, signal },
    headers: { ...headers, 'Content-Type': contentType },
    withKey: true,
  });
}

/** An id that paths, and the commands that name it to people, hold as it is. */
const idForm = /^[\w.~-]{1,200}$/;

async function readAgentId(response: Response, signal: AbortSignal | undefined): Promise<string> {
  const answer = await readJson<Record<string, unknown>>(response, signal);
  if (typeof answer.agentId === 'string' && idForm.test(answer.agentId)) return answer.agentId;
  throw strangeAnswer('The service did not say which run it has started.', response, answer);
}

const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );

/** Starts a run once, however often it has to be asked for, and resolves with its id. */
export async function startRun(
  connection: Connection,
  input: NewRun,
  options: StartOptions = {},
): Promise<string> {
  const { file, signal, onRetry, idempotencyKey: key = newKey() } = options;
  const headers = { 'Idempotency-Key': key };
  const asJson = (body: NewRun) => () => sendJson(connection, runsPath, body, { signal, headers });
  const start = async (): Promise<() => Promise<Response>> => {
    if (!file) return asJson(input);
    const filename = nameOf(file, options.filename);
    if (file.size > formFileBytes)
      return asJson({ ...input, uploadId: await sendAhead(connection, file, { ...options, filename }) });
    const form = await writeForm(input, file, filename);
    return () => startWithForm(connection, form, headers, options);
  };
  const send = await start();
  const read = async () => readAgentId(await send(), signal);
  return withRetries(connection, read, { signal, onRetry }).catch((error: unknown) => {
    // The request may be wrong for its link, which is good for an hour. After any other failure the run may be there.
    if (file && error instanceof InvalidRequestError) forgetSent(connection, file, key);
    throw error;
  });
}

interface StartedUpload extends UploadOptions {
  /** The caller's own. Without one nobody can ask for the same start again. */
  idempotencyKey?: string;
}

/** What tells a start from others with the same file. */
const nameOfStart = ({ baseUrl, apiKey }: Connection, idempotencyKey: string): string =>
  JSON.stringify([baseUrl, apiKey, idempotencyKey]);

/**
 * The links by which files went that were too large for a form, by the starts that they were sent for: a start that is asked
 * for again is the same to the service only with the same link.
 */
const sent = new WeakMap<Blob, Map<string, Promise<string>>>();

function linksOf(file: Blob): Map<string, Promise<string>> {
  const links = sent.get(file) ?? new Map<string, Promise<string>>();
  sent.set(file, links);
  return links;
}

/** Sends the file of a start once, and resolves with its `uploadId`. */
async function sendAhead(
  connection: Connection,
  file: Blob,
  { idempotencyKey, ...options }: StartedUpload,
): Promise<string> {
  if (idempotencyKey === undefined) return (await sendUpload(connection, file, options)).uploadId;
  const [links, name] = [linksOf(file), nameOfStart(connection, idempotencyKey)];
  // A start that gives up ends its own sending alone: the next of those that wait for it sends the file itself.
  for (let sending = links.get(name); sending; sending = links.get(name)) {
    const uploadId = await unlessAborted(
      sending.catch(() => undefined),
      options.signal,
    );
    if (uploadId !== undefined) return uploadId;
  }
  const sending = sendUpload(connection, file, options).then(
    ({ uploadId }) => uploadId,
    (error: unknown) => {
      links.delete(name);
      throw error;
    },
  );
  links.set(name, sending);
  return sending;
}

/** Has the next such start send the file anew. */
const forgetSent = (connection: Connection, file: Blob, idempotencyKey: string): void =>
  void sent.get(file)?.delete(nameOfStart(connection, idempotencyKey));

/** The outcome of work that goes on for others too; rejects with the signal's reason if it is aborted before. */
async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let leave = () => {};
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
  });
  return Promise.race([work, aborted]).finally(() => signal.removeEventListener('abort', leave));
}
