import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { DomainError, type HttpEnv, type Issue, issuesOf, newUuid } from '@errand/platform';
import { parseSkillFormField } from '@errand/skills';
import type { Context } from 'hono';
import * as v from 'valibot';
import { type CreateRunBody, createRunSchema } from '../schema.ts';
import type { UploadDeps } from './deps.ts';
import { type FileKind, fileKind } from './file-kind.ts';
import { shownName } from './file-name.ts';
import { type FormFile, parseForm, showField } from './parse-form.ts';
import { discard } from './storage.ts';
import { storeStream } from './store-stream.ts';
import { fieldIssue, requireUploads, type Upload, uploadKey } from './upload.ts';

export interface CreateForm {
  body: CreateRunBody;
  /** The same for the same fields and file: tells a repeated request from another one. */
  text: string;
  upload: Upload;
}

interface StoredForm {
  upload: Upload;
  sha256?: string;
}

const formSchema = v.omit(createRunSchema, ['uploadId']);
const fieldNames = Object.keys(formSchema.entries);
/** More than the fields of any form that is accepted: what a body has beyond this is the file's. */
const formOverheadBytes = 4_000_000;

/**
 * The multipart form of the create-run input. Its file is in the bucket when this returns; when it throws, nothing is.
 * `digest`: the text must tell files with the same name apart.
 */
export async function readForm(
  deps: UploadDeps,
  c: Pick<Context<HttpEnv>, 'env' | 'req'>,
  { digest }: { digest: boolean },
): Promise<CreateForm> {
  requireUploads(deps);
  const agentId = newUuid();
  const fields = new Map<string, string>();
  const stored: { file?: StoredForm } = {};
  let fileCame = false;
  try {
    await parseForm(bodyOf(c), c.req.header('Content-Type') ?? '', {
      field(name, value) {
        if (!fieldNames.includes(name)) throw fieldIssue(showField(name), 'is not a field of this form');
        if (fields.has(name)) throw fieldIssue(name, 'is given more than once');
        fields.set(name, value);
      },
      async file(file) {
        const checked = checkFile(deps, file, Number(c.req.header('Content-Length') ?? 0));
        if (fileCame) throw fieldIssue('file', 'is given more than once');
        fileCame = true;
        stored.file = await storeFile(deps, agentId, { ...checked, stream: file.stream, digest });
      },
    });
    const { file } = stored;
    const body = validateForm(fields, file !== undefined);
    if (!file) throw fieldIssue('file', 'is required');
    const { upload, sha256 } = file;
    const text = JSON.stringify([[...fields].sort(), upload.filename, sha256]);
    return { body, text, upload };
  } catch (error) {
    await stored.file?.upload.drop();
    throw error;
  }
}

/** On a Node server the request itself: through its web stream every byte costs more, and an early end breaks the connection. */
function bodyOf(c: Pick<Context<HttpEnv>, 'env' | 'req'>): Readable {
  const incoming = c.env?.incoming;
  if (incoming) return incoming;
  const { body } = c.req.raw;
  return body ? Readable.fromWeb(body as ReadableStream<Uint8Array>) : Readable.from([]);
}

function checkFile(deps: UploadDeps, { name, filename }: FormFile, bodyBytes: number) {
  if (name !== 'file') {
    const problem = fieldNames.includes(name) ? 'must be text, not a file' : 'is not a field of this form';
    throw fieldIssue(showField(name), problem);
  }
  const shown = shownName(filename ?? '');
  if (shown === '') throw fieldIssue('file', 'must have a file name');
  const kind = fileKind(shown, { conversionEnabled: deps.uploads.documentConversionEnabled });
  const { limitBytes } = kind;
  if (bodyBytes > limitBytes + formOverheadBytes)
    throw new DomainError('upload_too_large', { filename: shown, limitBytes });
  return { filename: shown, kind };
}

async function storeFile(
  deps: UploadDeps,
  agentId: string,
  file: { filename: string; kind: FileKind; stream: AsyncIterable<Uint8Array>; digest: boolean },
): Promise<StoredForm> {
  const { filename, kind, stream, digest } = file;
  const key = uploadKey(agentId, filename);
  const { limitBytes, contentType } = kind;
  const target = { key, contentType, filename, limitBytes, digest };
  const { bytes, sha256 } = await storeStream(deps, target, stream);
  if (bytes === 0) throw fieldIssue('file', 'is empty');
  const upload: Upload = { agentId, key, filename, kind, drop: () => discard(deps, key) };
  return { upload, ...(sha256 !== undefined && { sha256 }) };
}

function validateForm(fields: ReadonlyMap<string, string>, hasFile: boolean): CreateRunBody {
  const issues: Issue[] = [];
  const input: Record<string, unknown> = Object.fromEntries(fields);
  const { skills, metadata } = input;
  if (typeof skills === 'string') input.skills = parseSkillFormField(skills);
  if (typeof metadata === 'string') input.metadata = parseMetadata(metadata);
  const parsed = v.safeParse(formSchema, input);
  if (!parsed.success) issues.push(...issuesOf(parsed.issues));
  if (!hasFile) issues.push({ field: 'file', problem: 'is required' });
  if (!parsed.success || issues.length > 0) throw new DomainError('invalid_request', { issues });
  return parsed.output;
}

function parseMetadata(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldIssue('metadata', 'must be JSON');
  }
}
