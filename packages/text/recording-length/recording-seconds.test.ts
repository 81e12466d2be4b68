import { limits } from '@errand/platform';
import { describe, expect, test } from 'vitest';
import { recordingSeconds, secondsToReserve } from './recording-seconds.ts';
import { boxOf, fixture, partsOf, syncSafe } from './test-support/recordings.ts';

const filler = (bytes: number) => Buffer.alloc(bytes, 'filler ');
const megabytes = 1_000_000;

describe('a recording of three seconds, as ffmpeg 5.1 writes it,', () => {
  test.each([
    ['voice.wav', true],
    ['adpcm.wav', true],
    ['streamed.wav', true],
    ['rf64.wav', true],
    ['xing.mp3', true],
    ['bare.mp3', true],
    ['frames.aac', true],
    ['start.m4a', true],
    ['end.m4a', true],
    ['fragments.mp4', false],
    ['voice.opus', true],
    ['voice.ogg', true],
    ['voice.flac', true],
    ['voice.webm', true],
    ['live.webm', false],
  ])('%s is told to last three', async (name, exact) => {
    const length = await recordingSeconds(partsOf(fixture(name)), name.slice(name.indexOf('.')));
    expect(length?.exact).toBe(exact);
    expect(Math.abs((length?.seconds ?? 0) - 3.05)).toBeLessThan(0.06);
  });
});

describe('the length of a large recording', () => {
  const apart = (name: string, split: (bytes: Buffer) => number) => {
    const bytes = fixture(name);
    const at = split(bytes);
    return [bytes.subarray(0, at), bytes.subarray(at)] as const;
  };

  test('of an MP4 whose header comes last is read there', async () => {
    const [before, header] = apart('end.m4a', (bytes) => bytes.indexOf('moov') - 4);
    const file = partsOf(before, boxOf('free', filler(20 * megabytes)), header);
    expect(await recordingSeconds(file, '.m4a')).toEqual({ seconds: 3.064, exact: true });
    expect(file.reads()).toBe(2);
  });

  test('of an Ogg file is read from its last page', async () => {
    const [first, rest] = apart('voice.opus', (bytes) => bytes.indexOf('OggS', 100));
    const file = partsOf(first, filler(2 * megabytes), rest);
    expect(await recordingSeconds(file, '.opus')).toEqual({ seconds: 3, exact: true });
    expect(file.reads()).toBe(2);
  });

  test('of an MP3 with a large picture in front is that of its sound', async () => {
    const tag = Buffer.concat([Buffer.from('ID3\x04\0\0'), syncSafe(3 * megabytes), filler(3 * megabytes)]);
    const file = partsOf(tag, fixture('xing.mp3'));
    expect(await recordingSeconds(file, '.mp3')).toEqual({ seconds: 3.096, exact: true });
    expect(file.reads()).toBe(2);
  });

  test('of MP3s that were joined is that of all of them', async () => {
    const one = fixture('xing.mp3');
    const length = await recordingSeconds(partsOf(...Array(50).fill(one)), '.mp3');
    expect(length).toEqual({ seconds: expect.closeTo(50 * 3.096, -1), exact: false });
  });

  test('of MP3 frames without a count is that of their size at their bit rate', async () => {
    const length = await recordingSeconds(partsOf(...Array(500).fill(fixture('bare.mp3'))), '.mp3');
    expect(length).toEqual({ seconds: expect.closeTo(500 * 3.096, 0), exact: false });
  });

  test('of AAC frames is taken as twice what their first frames suggest', async () => {
    const length = await recordingSeconds(partsOf(...Array(200).fill(fixture('frames.aac'))), '.aac');
    expect(length).toEqual({ seconds: expect.closeTo(2 * 200 * 3.072, -1), exact: false });
  });
});

describe('a wrong header', () => {
  const wav = fixture('voice.wav');
  const changed = (bytes: Buffer, change: (bytes: Buffer) => void) => {
    const copy = Buffer.from(bytes);
    change(copy);
    return copy;
  };
  const inHead = (name: string) => wav.indexOf(name);

  test('of a WAV that states less than half of its sound is ignored', async () => {
    const short = changed(wav, (bytes) => bytes.writeUInt32LE(8, inHead('data') + 4));
    expect((await recordingSeconds(partsOf(short), '.wav'))?.seconds).toBeCloseTo(3, 2);
  });

  test('of a WAV that states more sound than the file has is cut to the file', async () => {
    const long = changed(wav, (bytes) => bytes.writeUInt32LE(0x7fff_ffff, inHead('data') + 4));
    expect(await recordingSeconds(partsOf(long), '.wav')).toEqual({ seconds: 3, exact: true });
  });

  test('of a WAV with a wrong byte rate is corrected by the size of its samples, as decoders do', async () => {
    const fast = changed(wav, (bytes) => bytes.writeUInt32LE(0x7fff_ffff, inHead('fmt ') + 16));
    expect(await recordingSeconds(partsOf(fast), '.wav')).toEqual({ seconds: 3, exact: true });
  });

  test.each([
    ['a second', 1],
    ['a year', 31_536_000],
  ])('as an MP4 of megabytes that lasts %s gives the longest for its size', async (_, seconds) => {
    const header = fixture('start.m4a');
    for (const name of ['mvhd', 'mdhd']) {
      const at = header.indexOf(name);
      header.writeUInt32BE(1, at + 16);
      header.writeUInt32BE(seconds, at + 20);
    }
    const file = partsOf(header, boxOf('free', filler(50 * megabytes)));
    const bytes = file.bytes ?? 0;
    expect(await recordingSeconds(file, '.m4a')).toEqual({ seconds: bytes / 1_000, exact: false });
  });
});

test.each([
  ['.mp3', 8_000],
  ['.wav', 6_000],
  ['.ogg', 6_000],
  ['.other', 6_000],
])(
  'a recording without a readable header, named %s, is taken to have %i bits a second',
  async (extension, rate) => {
    const length = await recordingSeconds(partsOf(Buffer.alloc(30_000)), extension);
    expect(length).toEqual({ seconds: (30_000 * 8) / rate, exact: false });
  },
);

test('a recording that cannot be read lasts as long as its size allows', async () => {
  const read = () => Promise.reject(new Error('The bucket is away.'));
  expect(await recordingSeconds({ bytes: 8_000, read }, '.mp3')).toEqual({ seconds: 8, exact: false });
});

test('a recording without a readable header and of unknown size reserves the longest length that is accepted', async () => {
  const length = await recordingSeconds({ read: async () => Buffer.alloc(100) }, '.mp3');
  expect(length).toBeUndefined();
  expect(secondsToReserve(length)).toBe(Math.ceil((limits.recordingBytes * 8) / 6_000) + 1);
});

test('the reserved length includes a second for the padding of encoders', () => {
  expect(secondsToReserve({ seconds: 59.2, exact: true })).toBe(61);
});
