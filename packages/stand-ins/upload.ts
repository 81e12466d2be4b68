import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { wavHeaderBytes, wavSeconds } from './wav.ts';
import { WireError } from './wire/http.ts';

export interface MeasuredUpload {
  fields: Map<string, string>;
  file?: { name: string; bytes: number; seconds: number };
}

const bytesPerSecondOfUnknownFormat = 16_000;

/** Reads a form with a recording. Keeps only the first bytes of the file, and counts the rest. */
export async function measureUpload(request: IncomingMessage): Promise<MeasuredUpload> {
  const upload: MeasuredUpload = { fields: new Map() };
  const measured: Promise<void>[] = [];
  const parser = openParser(request);
  parser.on('field', (name, value) => upload.fields.set(name, value));
  parser.on('file', (field, stream: AsyncIterable<Buffer>, name) => {
    const isRecording = field === 'file' && upload.file === undefined;
    const measuring = measure(stream).then((figures) => {
      if (isRecording) upload.file = { name, ...figures };
    });
    measuring.catch(() => {});
    measured.push(measuring);
  });
  try {
    await pipeline(request, parser);
    await Promise.all(measured);
  } catch {
    throw new WireError(400, 'The form could not be read');
  }
  return upload;
}

function openParser(request: IncomingMessage): BusboyInstance {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new WireError(400, 'The body must be multipart/form-data', null, 'invalid_content_type');
  }
  try {
    return new Busboy({
      headers: { ...request.headers, 'content-type': contentType } satisfies BusboyHeaders,
    });
  } catch {
    throw new WireError(400, 'The multipart boundary is missing');
  }
}

async function measure(stream: AsyncIterable<Buffer>): Promise<{ bytes: number; seconds: number }> {
  const head: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    if (bytes < wavHeaderBytes) head.push(Buffer.from(chunk.subarray(0, wavHeaderBytes - bytes)));
    bytes += chunk.length;
  }
  const estimated = Math.max(1, bytes / bytesPerSecondOfUnknownFormat);
  return { bytes, seconds: wavSeconds(Buffer.concat(head), bytes) ?? estimated };
}
