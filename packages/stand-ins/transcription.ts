import type { IncomingMessage, ServerResponse } from 'node:http';
import { findModel } from './models.ts';
import { type MeasuredUpload, measureUpload } from './upload.ts';
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
