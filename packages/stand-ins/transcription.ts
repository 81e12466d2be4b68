import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { findModel } from './models.ts';
import { sendJson, WireError } from './wire/http.ts';

interface SpokenLine {
  speaker: 'A' | 'B';
  text: string;
  start: number;
  end: number;
}

const formats = ['json', 'text', 'verbose_json', 'diarized_json'];

export async function handleTranscription(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { fields, file } = await measureUpload(request);
  const model = fields.get('model') ?? '';
  const format = fields.get('response_format') ?? 'json';
  if (file === undefined || file.bytes === 0)
    throw new WireError(400, 'The file is missing or empty', 'file');
  if (findModel(model, ['speech']) === undefined) {
    throw new WireError(404, `The model '${model}' does not exist`, 'model', 'model_not_found');
  }
  if (!formats.includes(format)) {
    throw new WireError(400, `response_format must be one of ${formats.join(', ')}`, 'response_format');
  }
  const lines = writeLines(file);
  const text = lines.map((line) => line.text).join(' ');
  if (format === 'text') {
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
    return;
  }
  sendJson(response, 200, toBody(format, text, lines, round(file.seconds)));
}

/** Two speakers, who take turns of equal length over the whole recording. */
function writeLines(file: NonNullable<MeasuredUpload['file']>): SpokenLine[] {
  const texts = [
    'Welcome to the meeting. These lines come from a stand-in for a speech model, not from the recording.',
    `Nobody has listened to it: only its name, ${file.name}, and its ${file.bytes} bytes are known.`,
    'For demonstrations, we decided that the report is sent on Friday.',
    'For real transcripts, name a catalogue file with a speech model in MODEL_CATALOGUE.',
  ];
  const turnSeconds = file.seconds / texts.length;
  return texts.map((text, index) => ({
    speaker: index % 2 === 0 ? 'A' : 'B',
    text,
    start: round(index * turnSeconds),
    end: round((index + 1) * turnSeconds),
  }));
}

function toBody(format: string, text: string, lines: readonly SpokenLine[], duration: number) {
  const usage = { type: 'duration', seconds: Math.ceil(duration) };
  if (format === 'json') return { text, usage };
  const common = { task: 'transcribe', language: 'english', duration, text };
  if (format === 'diarized_json') return { ...common, segments: lines.map(toDiarizedSegment), usage };
  return { ...common, segments: lines.map(toVerboseSegment), usage };
}

const toDiarizedSegment = ({ speaker, text, start, end }: SpokenLine, index: number) => ({
  type: 'transcript.text.segment',
  id: `seg_${String(index + 1).padStart(3, '0')}`,
  start,
  end,
  text,
  speaker,
});

const toVerboseSegment = ({ text, start, end }: SpokenLine, index: number) => ({
  id: index,
  seek: 0,
  start,
  end,
  text,
  tokens: [],
  temperature: 0,
  avg_logprob: 0,
  compression_ratio: 1,
  no_speech_prob: 0,
});

const round = (seconds: number): number => Math.round(seconds * 1000) / 1000;

interface MeasuredUpload {
  fields: Map<string, string>;
  file?: { name: string; bytes: number; seconds: number };
}

const bytesPerSecondOfUnknownFormat = 16_000;

/** Reads a form with a recording. Keeps only the first bytes of the file, and counts the rest. */
async function measureUpload(request: IncomingMessage): Promise<MeasuredUpload> {
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

/** The part of a file that is searched for its format and the start of its samples. */
const wavHeaderBytes = 64 * 1024;

const streamedLength = 0xffff_ffff;

/** The length in seconds that a WAVE file's header gives. Undefined for another format or a broken header. */
function wavSeconds(head: Buffer, totalBytes: number): number | undefined {
  if (head.length < 12 || head.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (head.toString('latin1', 8, 12) !== 'WAVE') return undefined;
  let bytesPerSecond = 0;
  for (let offset = 12; offset + 8 <= head.length; ) {
    const name = head.toString('latin1', offset, offset + 4);
    const length = head.readUInt32LE(offset + 4);
    const start = offset + 8;
    if (name === 'fmt ' && start + 12 <= head.length) bytesPerSecond = head.readUInt32LE(start + 8);
    if (name === 'data' && bytesPerSecond > 0)
      return sampleBytes(length, totalBytes - start) / bytesPerSecond;
    offset = start + length + (length % 2);
  }
  return undefined;
}

/** A recorder that streams its file does not know the length, and states 0 or the largest number. */
const sampleBytes = (stated: number, present: number): number =>
  stated === 0 || stated === streamedLength ? present : Math.min(stated, present);
