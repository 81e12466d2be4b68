import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { type DomainError, fieldIssue, type HttpEnv, meantBy, newUuid, onShutdown } from '@errand/platform';
import type { Context } from 'hono';
import type { UploadDeps } from '../deps.ts';
import { type CheckedFile, checkFile, uploadOf } from '../sent-file.ts';
import { storeStream } from '../storage/store-stream.ts';
import { requireUploads, type Upload } from '../upload.ts';
import { type FormFile, parseForm, showField } from './parse-form.ts';

interface FormRules<Body> {
  /** The text fields that the form may have, each once. */
  fieldNames: readonly string[];
  /** Turns the fields into a body. Throws `invalid_request` for wrong fields, or for a form without a file. */
  read(fields: ReadonlyMap<string, string>, hasFile: boolean): Body;
  /** Whether `text` contains the file's SHA-256, so that files of the same name can be told apart. */
  digest: boolean;
  /** The account that sends it. */
  owner?: string;
}

export interface ReceivedForm<Body> {
  body: Body;
  /** Equal for forms with the same fields and file, so that a repeated request is recognised. */
  text: string;
  upload: Upload;
}

interface StoredForm {
  upload: Upload;
  sha256?: string;
}

/** An upper bound for the fields of a form. A body longer than this plus the file's limit is refused at once. */
const formOverheadBytes = 4_000_000;

/**
 * Reads a multipart form of text fields and one `file`, and stores the file in the bucket. If this throws, nothing is
 * stored.
 */
export async function receiveForm<Body>(
  deps: UploadDeps,
  c: Pick<Context<HttpEnv>, 'env' | 'req'>,
  { fieldNames, read, digest, owner }: FormRules<Body>,
): Promise<ReceivedForm<Body>> {
  requireUploads(deps);
  const agentId = newUuid();
  const fields = new Map<string, string>();
  const stored: { file?: StoredForm } = {};
  let fileCame = false;
  try {
    await parseForm(bodyOf(c), c.req.header('Content-Type') ?? '', {
      onShutdown: (callback) => onShutdown(c, callback),
      field(name, value) {
        if (!fieldNames.includes(name)) throw notAField(name, fieldNames);
        if (fields.has(name)) throw fieldIssue(name, 'is given more than once');
        fields.set(name, value);
      },
      async file(file) {
        if (file.name !== 'file') {
          if (!fieldNames.includes(file.name)) throw notAField(file.name, [...fieldNames, 'file']);
          throw fieldIssue(showField(file.name), 'must be text, not a file');
        }
        const checked = checkFormFile(deps, file, Number(c.req.header('Content-Length') ?? 0));
        if (fileCame) throw fieldIssue('file', 'is given more than once');
        fileCame = true;
        stored.file = await storeFile(deps, agentId, { ...checked, stream: file.stream, digest, owner });
      },
    });
    const { file } = stored;
    const body = read(fields, file !== undefined);
    if (!file) throw fieldIssue('file', 'is required');
    const { upload, sha256 } = file;
    const text = JSON.stringify([[...fields].sort(), upload.filename, sha256]);
    return { body, text, upload };
  } catch (error) {
    await stored.file?.upload.drop();
    throw error;
  }
}

function notAField(name: string, fieldNames: readonly string[]): DomainError {
  const meant = meantBy(name, fieldNames);
  return fieldIssue(
    showField(name),
    `is not a field of this form${meant === undefined ? '' : `: write ${meant}`}`,
  );
}

/** A Node server's own request is preferred: a web stream takes more CPU, and ending it early breaks the connection. */
function bodyOf(c: Pick<Context<HttpEnv>, 'env' | 'req'>): Readable {
  const incoming = c.env?.incoming;
  if (incoming) return incoming;
  const { body } = c.req.raw;
  return body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
}

function checkFormFile(deps: UploadDeps, { filename = '' }: FormFile, bodyBytes: number): CheckedFile {
  return checkFile(deps, { filename, field: 'file', bytes: bodyBytes - formOverheadBytes });
}

async function storeFile(
  deps: UploadDeps,
  agentId: string,
  file: CheckedFile & Pick<FormRules<unknown>, 'digest' | 'owner'> & { stream: AsyncIterable<Uint8Array> },
): Promise<StoredForm> {
  const { filename, kind, stream, digest, owner } = file;
  const upload = uploadOf(deps, agentId, file);
  const { limitBytes, contentType } = kind;
  const target = { key: upload.key, contentType, filename, limitBytes, digest, owner };
  const { bytes, sha256 } = await storeStream(deps, target, stream);
  if (bytes === 0) throw fieldIssue('file', 'is empty');
  return { upload, sha256 };
}
