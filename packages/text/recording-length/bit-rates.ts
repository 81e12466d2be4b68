import type { recordingKinds } from '../kinds/recording-kinds.ts';

interface BitRates {
  /** Bits a second of the longest sound that a file of some size may plausibly have. */
  lowest: number;
  /** Bits a second of the shortest plausible sound. A header that tells less is wrong. */
  highest: number;
}

const video = 200_000_000;

/** The bit rates of what people record. Silence may have fewer, so an estimate by size can be too low there. */
export const bitRates: Readonly<Record<keyof typeof recordingKinds | 'unknown', BitRates>> = {
  // GSM 06.10 has 13,000, and MP3 inside WAV 8,000. The highest is PCM of 192 kHz, 32 bits and 8 channels.
  wav: { lowest: 8_000, highest: 49_152_000 },
  // Fraunhofer recommends HE-AAC v2 from 8,000 on. The highest is video.
  mp4: { lowest: 8_000, highest: video },
  // The lowest of layer III (ISO/IEC 13818-3). AAC frames have at most 6,144 bits for a channel and 1,024 samples.
  mp3: { lowest: 8_000, highest: 1_152_000 },
  // Opus goes from 6,000 to 510,000 (RFC 6716, 2.1.1). FLAC in Ogg has more.
  ogg: { lowest: 6_000, highest: 10_000_000 },
  // A quarter of the raw bits of a telephone's 8 kHz and 16 bits. The highest is raw 192 kHz, 24 bits and 8 channels.
  flac: { lowest: 32_000, highest: 36_864_000 },
  matroska: { lowest: 6_000, highest: video },
  unknown: { lowest: 6_000, highest: Number.POSITIVE_INFINITY },
};
