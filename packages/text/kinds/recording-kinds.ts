import { type KindFacts, startsWith } from './kind-facts.ts';

/** Recordings whose bytes tell their kind. */
export const recordingKinds = {
  wav: {
    words: 'a WAV recording',
    // RF64 is WAV of more than 4 GB; recorders write it for shorter ones too.
    signatures: ['RIFF', 'RF64'].map((container) => [
      { offset: 0, bytes: container },
      { offset: 8, bytes: 'WAVE' },
    ]),
  },
  mp4: { words: 'an MP4 video or recording', signatures: [[{ offset: 4, bytes: 'ftyp' }]] },
  mp3: { words: 'an MP3 recording', signatures: [startsWith('ID3')] },
  ogg: { words: 'an Ogg recording', signatures: [startsWith('OggS')] },
  flac: { words: 'a FLAC recording', signatures: [startsWith('fLaC')] },
  matroska: { words: 'a WebM or Matroska video', signatures: [startsWith('\x1a\x45\xdf\xa3')] },
} as const satisfies Record<string, KindFacts>;

interface RecordingFormat {
  /** The media types that hosts send, the usual one first. */
  mediaTypes: readonly [string, ...string[]];
  /** The kinds that a file's bytes may show. Bare frames of MP3 and AAC show none. */
  kinds: readonly (keyof typeof recordingKinds)[];
}

/** The recordings that speech models take, by extension, in the order in which people see them listed. */
export const recordingFormats: Readonly<Record<string, RecordingFormat>> = {
  '.mp3': { mediaTypes: ['audio/mpeg', 'audio/mp3'], kinds: ['mp3'] },
  '.m4a': { mediaTypes: ['audio/mp4', 'audio/x-m4a', 'audio/m4a'], kinds: ['mp4'] },
  '.wav': { mediaTypes: ['audio/wav', 'audio/x-wav', 'audio/wave', 'audio/vnd.wave'], kinds: ['wav'] },
  '.ogg': { mediaTypes: ['audio/ogg'], kinds: ['ogg'] },
  '.opus': { mediaTypes: ['audio/ogg', 'audio/opus'], kinds: ['ogg'] },
  // Only an ID3 tag tells an MP3, and FLAC and AAC may start with one too.
  '.flac': { mediaTypes: ['audio/flac', 'audio/x-flac'], kinds: ['flac', 'mp3'] },
  '.aac': { mediaTypes: ['audio/aac', 'audio/aacp'], kinds: ['mp3'] },
  '.webm': { mediaTypes: ['audio/webm', 'video/webm'], kinds: ['matroska'] },
  '.mp4': { mediaTypes: ['video/mp4'], kinds: ['mp4'] },
};

/** The format that an extension, with its dot, stands for. */
export const recordingFormat = (extension: string): RecordingFormat | undefined =>
  Object.hasOwn(recordingFormats, extension) ? recordingFormats[extension] : undefined;
