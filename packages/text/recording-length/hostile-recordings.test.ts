import { limits } from '@errand/platform';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { recordingFormats } from '../kinds/recording-kinds.ts';
import { bitRates } from './bit-rates.ts';
import { headOnly } from './recording-bytes.ts';
import { recordingSeconds } from './recording-seconds.ts';
import { fixture, partsOf } from './test-support/recordings.ts';

interface Damage {
  name: string;
  keep: number;
  changes: { at: number; others: number[] }[];
  inHeader: boolean;
}

const names = [
  ...['adpcm.wav', 'rf64.wav', 'xing.mp3', 'bare.mp3', 'frames.aac', 'start.m4a', 'end.m4a', 'fragments.mp4'],
  ...['voice.opus', 'voice.ogg', 'voice.flac', 'voice.webm', 'live.webm'],
];
const lowest = Math.min(...Object.values(bitRates).map((rates) => rates.lowest));
const extensions = fc.constantFrom(...Object.keys(recordingFormats), '', '.other');
const share = fc.double({ min: 0, max: 1, noNaN: true });
/** Bytes that make sizes and counts wrong. */
const odd = fc.constantFrom(0, 1, 0x7f, 0x80, 0xff);
const damage: fc.Arbitrary<Damage> = fc.record({
  name: fc.constantFrom(...names),
  keep: share,
  changes: fc.array(
    fc.record({ at: share, others: fc.array(fc.oneof(odd, fc.nat(255)), { maxLength: 9 }) }),
    {
      maxLength: 12,
    },
  ),
  inHeader: fc.boolean(),
});

function damaged({ name, keep, changes, inHeader }: Damage): Buffer {
  const whole = fixture(name);
  const bytes = whole.subarray(0, Math.ceil(whole.length * (0.02 + 0.98 * keep)));
  const reach = inHeader ? Math.min(200, bytes.length) : bytes.length;
  for (const { at, others } of changes) {
    const offset = Math.floor(at * (reach - 1));
    bytes.set(others.slice(0, bytes.length - offset), offset);
  }
  return bytes;
}

async function expectBounded(bytes: Buffer, extension: string): Promise<void> {
  const file = partsOf(bytes);
  const length = await recordingSeconds(file, extension);
  expect(length?.seconds).toBeGreaterThanOrEqual(0);
  expect(length?.seconds).toBeLessThanOrEqual((bytes.length * 8) / lowest);
  expect(file.reads()).toBeLessThanOrEqual(limits.recordingParts);
  const unsized = await recordingSeconds(headOnly(bytes), extension);
  if (unsized) expect(Number.isFinite(unsized.seconds) && unsized.seconds > 0).toBe(true);
}

describe('the length is plausible for the size, and takes few reads, for', () => {
  test('a cut or changed recording', async () => {
    await fc.assert(
      fc.asyncProperty(damage, extensions, async (input, extension) =>
        expectBounded(damaged(input), extension),
      ),
      { numRuns: 1_500 },
    );
  });

  test('the beginning of one recording and the end of another', async () => {
    const halves = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...names), share, fc.nat(3));
    await fc.assert(
      fc.asyncProperty(halves, extensions, async ([first, second, at, repeats], extension) => {
        const [one, two] = [fixture(first), fixture(second)];
        const parts = [one.subarray(0, at * one.length), ...Array(repeats * 40).fill(two)];
        await expectBounded(Buffer.concat(parts), extension);
      }),
      { numRuns: 200 },
    );
  });

  test('any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2_000 }), extensions, (bytes, extension) =>
        expectBounded(Buffer.from(bytes), extension),
      ),
      { numRuns: 1_000 },
    );
  });
});

test('a file whose parts point ever further takes no more reads than allowed', async () => {
  for (const name of ['free', 'moov', 'mdat']) {
    let reads = 0;
    const box = Buffer.concat([Buffer.from('00100000', 'hex'), Buffer.from(name)]);
    const source = {
      bytes: 2 ** 40,
      async read(offset: number, length: number) {
        reads++;
        const part = Buffer.alloc(length, box);
        if (offset === 0) part.write('\0\x10\0\0ftyp', 'latin1');
        return part;
      },
    };
    await recordingSeconds(source, '.mp4');
    expect(reads).toBeLessThanOrEqual(limits.recordingParts);
  }
});
