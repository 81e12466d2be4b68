import {
  type Attachment,
  attachedImageCostId,
  attachmentRoom,
  fitShown,
  ToolError,
  uploadMaterial,
} from '@errand/agent';
import { DocumentError } from '@errand/documents';
import type { Cost, Reservation } from '@errand/money';
import { describeThreadError } from '@errand/passages';
import {
  createSemaphore,
  DomainError,
  describeError,
  type Log,
  limits,
  measureWaits,
  type StoredFile,
  ThreadError,
  takeTurn,
} from '@errand/platform';
import { imageDataUrl } from '@errand/text';
import { checkImage, checkRecording, type Upload, withStorage } from '@errand/uploads';
import type { AttachmentDeps } from '../deps.ts';
import { runMaterial } from '../run-material.ts';
import type { RunBody } from '../schema.ts';
import { type Asker, endSeen, hasLeft, type SeeDeps, seeUpload } from './see-upload.ts';

const headBytes = 64 * 1024;

/** One semaphore for the process: each document in work is held in its memory. */
const documents = createSemaphore(limits.documentsReadAtOnce);

/** What was read, and the cost of a model that read it. */
interface ReadAttachment {
  attachment: Attachment;
  owed?: Cost;
}

interface Asked extends Asker {
  body: RunBody;
  /** What is set aside for the file and for the run's first completion. */
  reservation: Reservation | undefined;
  /** The context of the model that works on the run. */
  contextTokens: number;
}

type ReadDeps = AttachmentDeps & SeeDeps;

/**
 * Reads a file for its run: a document's text, the vision model's answer about an image, or a recording's link.
 * Throws `upload_unreadable` with the reason, also if reading takes too long or the client has left, and
 * `queue_unavailable` if the time went by in the queue of others' files.
 */
export async function readAttachment(deps: ReadDeps, upload: Upload, asked: Asked): Promise<ReadAttachment> {
  const { signal: client } = asked;
  const { readMilliseconds } = deps.attachments;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), readMilliseconds);
  const signal = AbortSignal.any([client, limit.signal]);
  const spent = measureWaits(signal);
  try {
    const read = await readers[upload.kind.kind](deps, upload, asked, signal);
    if (signal.aborted) await endSeen(deps, asked, read.owed, hasLeft(asked));
    signal.throwIfAborted();
    return read;
  } catch (error) {
    if (limit.signal.aborted) throw refuseLate(deps, asked, spent(), readMilliseconds);
    if (client.aborted)
      throw client.reason instanceof DomainError ? client.reason : unreadNow('The client has gone.');
    throw explainUnread(deps, asked, error);
  } finally {
    clearTimeout(timer);
  }
}

type Read = (deps: ReadDeps, upload: Upload, asked: Asked, signal: AbortSignal) => Promise<ReadAttachment>;

const readers: Record<Upload['kind']['kind'], Read> = {
  async document(deps, { agentId, key, filename, kind }, asked, signal) {
    const { extension } = kind;
    const { principal, body, contextTokens } = asked;
    const room = attachmentRoom(contextTokens);
    const reading = { ...room, fallbackQuery: body.question };
    const owner = principal.accountId;
    const release = await takeTurn(documents, { signal, owner });
    try {
      const source = { key, bytes: () => readBytes(deps, key, signal) };
      const document = { source, extension, owner, signal, reading };
      const { packed, shown } = await deps.attachments.documents(document);
      const fitting = await fitShown({ owner }, { packed, shown }, reading, signal);
      const material = uploadMaterial;
      await withStorage(deps, () => runMaterial(deps.files, agentId).keep(material, packed));
      const { text } = fitting;
      return { attachment: { kind: 'document', filename, text, material, shown: fitting.shown } };
    } finally {
      release();
    }
  },
  async image(deps, upload, asked, signal) {
    const { reservation } = asked;
    const { question } = asked.body;
    const { key, filename, kind } = upload;
    const bytes = await readBytes(deps, key, signal);
    checkImage(bytes, kind.extension);
    const dataUrl = imageDataUrl(bytes)!;
    const link = await makeLink(deps, key);
    const costId = attachedImageCostId(asked.body);
    const seen = await seeUpload(deps, asked, { dataUrl, question, costId, reservation }, signal);
    const { text, cost: owed } = seen;
    if (text.trim() === '') {
      await endSeen(deps, asked, owed, false);
      throw unreadNow('The vision model said nothing about the image.');
    }
    const { model, inputTokens = 0, cachedInputTokens = 0, outputTokens = 0, amountNanoEuro } = owed;
    const cost = { model, inputTokens, cachedInputTokens, outputTokens, amountNanoEuro };
    return { attachment: { kind: 'image', filename, url: link, description: text, cost }, owed };
  },
  async recording(deps, upload, _, signal) {
    checkRecording(await readHead(deps, upload.key, signal), upload.kind.extension);
    const url = await makeLink(deps, upload.key);
    return { attachment: { kind: 'recording', filename: upload.filename, url } };
  },
};

/** A link that works for longer than any run works, however long runs are kept: S3 takes none for more than a week. */
const makeLink = (deps: AttachmentDeps, key: string) =>
  deps.files.presignGet(key, { expiresInSeconds: limits.runReadableSeconds });

const open = async (deps: AttachmentDeps, key: string, signal: AbortSignal): Promise<StoredFile> => {
  const file = await deps.files.open(key, { signal });
  if (!file) throw unreadable('The uploaded file is gone.');
  return file;
};

const readBytes = (deps: AttachmentDeps, key: string, signal: AbortSignal): Promise<Uint8Array> =>
  withStorage(
    deps,
    async () => {
      const bytes = await deps.files.getBytes(key, { signal });
      if (!bytes) throw unreadable('The uploaded file is gone.');
      return bytes;
    },
    signal,
  );

const readHead = (deps: AttachmentDeps, key: string, signal: AbortSignal): Promise<Uint8Array> =>
  withStorage(
    deps,
    async () => {
      const { body } = await open(deps, key, signal);
      const chunks: Uint8Array[] = [];
      let size = 0;
      for await (const chunk of body as AsyncIterable<Uint8Array>) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size >= headBytes) break;
      }
      return Buffer.concat(chunks);
    },
    signal,
  );

const unreadable = (reason: string) => new DomainError('upload_unreadable', { reason });
const unreadNow = (reason: string) => new DomainError('upload_unreadable', { reason, temporary: true });

type Reader = Pick<Asker, 'principal' | 'requestId'>;

/** The refusal of a request whose file had no time left. If the file was in the queue for most of it, that is not the file's fault. */
export function refuseLate(
  { log }: { log: Log },
  { principal: { accountId }, requestId }: Reader,
  { waited, worked }: { waited: number; worked: number },
  readMilliseconds: number,
): DomainError {
  const [waitedMilliseconds, workedMilliseconds] = [Math.round(waited), Math.round(worked)];
  log.warn('upload not read in time', { accountId, requestId, waitedMilliseconds, workedMilliseconds });
  if (waited > worked) return new DomainError('queue_unavailable');
  return unreadNow(`The file could not be read within ${readMilliseconds / 1000} seconds.`);
}

/** The failures of reading a file, in words for the caller. Any other error stays as it is. */
export function explainUnread(
  { log }: { log: Log },
  { principal: { accountId }, requestId }: Reader,
  error: unknown,
): unknown {
  const thread = error instanceof DocumentError ? error.cause : error;
  if (thread instanceof ThreadError)
    log.warn('upload not read', { accountId, requestId, ...describeError(thread) });
  if (error instanceof DocumentError) return unreadable(error.message);
  if (error instanceof ThreadError) return unreadNow(describeThreadError(error));
  if (error instanceof ToolError) return unreadNow(error.message);
  return error;
}
