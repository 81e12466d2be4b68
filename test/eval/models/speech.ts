/** A line that somebody says in a recording. */
export interface SpokenLine {
  seconds: number;
  speaker: string;
  text: string;
}

/** The transcripts of the corpus's recordings, by filename. */
export type Transcripts = ReadonlyMap<string, readonly SpokenLine[]>;

/** Answers a transcription request: the recording is known by its name in the form. */
export function transcribe(transcripts: Transcripts, form: Buffer): object {
  const head = form.toString('latin1', 0, 4_000);
  const lines = transcripts.get(/filename="([^"]+)"/.exec(head)?.[1] ?? '') ?? [];
  const segments = lines.map(({ seconds, speaker, text }, i) => ({
    type: 'transcript.text.segment',
    id: `seg_${i}`,
    start: seconds,
    end: lines[i + 1]?.seconds ?? seconds + 5,
    text,
    speaker,
  }));
  const duration = segments.at(-1)?.end ?? 1;
  const text = lines.map((line) => line.text).join(' ');
  return { task: 'transcribe', language: 'english', duration, text, segments };
}
