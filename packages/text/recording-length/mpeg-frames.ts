/** A frame of MPEG audio layers I to III (ISO/IEC 11172-3, 13818-3) or of AAC in ADTS (ISO/IEC 13818-7). */
export interface Frame {
  bytes: number;
  samples: number;
  samplesPerSecond: number;
  /** Bits a second, if the header says them. */
  bitRate: number | undefined;
  /** The offset in the first frame at which a count of all frames may stand. */
  countOffset: number;
}

/** By version (MPEG 1, then 2 and 2.5) and layer (I, II, III), in thousands, from index 1 on. */
const bitRates = [
  [
    [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  ],
  [
    [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
];
const mpegRates = [44_100, 48_000, 32_000];
const aacRates = [96, 88.2, 64, 48, 44.1, 32, 24, 22.05, 16, 12, 11.025, 8, 7.35].map((rate) => rate * 1000);
const samplesOfAac = 1024;

export function readFrame(bytes: Buffer, offset: number): Frame | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(offset, offset + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  return (second & 6) === 0 ? readAac(bytes, offset) : readMpeg(second, third, bytes[offset + 3] ?? 0);
}

function readMpeg(second: number, third: number, fourth: number): Frame | undefined {
  const version = (second >> 3) & 3;
  const layer = 4 - ((second >> 1) & 3);
  const isFirst = version === 3;
  const bitRate = bitRates[isFirst ? 0 : 1]?.[layer - 1]?.[(third >> 4) - 1];
  const rate = mpegRates[(third >> 2) & 3];
  if (version === 1 || !bitRate || !rate) return undefined;
  const samplesPerSecond = rate / (isFirst ? 1 : version === 2 ? 2 : 4);
  const samples = layer === 1 ? 384 : layer === 3 && !isFirst ? 576 : 1152;
  const slotBytes = layer === 1 ? 4 : 1;
  const slots = Math.floor((samples / 8 / slotBytes) * ((bitRate * 1000) / samplesPerSecond));
  const isMono = fourth >> 6 === 3;
  return {
    bytes: (slots + ((third >> 1) & 1)) * slotBytes,
    samples,
    samplesPerSecond,
    bitRate: bitRate * 1000,
    countOffset: 4 + (isFirst ? (isMono ? 17 : 32) : isMono ? 9 : 17),
  };
}

function readAac(bytes: Buffer, offset: number): Frame | undefined {
  if (offset + 7 > bytes.length || ((bytes[offset + 1] ?? 0) & 0xf0) !== 0xf0) return undefined;
  const samplesPerSecond = aacRates[((bytes[offset + 2] ?? 0) >> 2) & 15];
  const length = (bytes.readUIntBE(offset + 3, 3) >> 5) & 0x1fff;
  if (!samplesPerSecond || length < 7) return undefined;
  const blocks = ((bytes[offset + 6] ?? 0) & 3) + 1;
  return {
    bytes: length,
    samples: samplesOfAac * blocks,
    samplesPerSecond,
    bitRate: undefined,
    countOffset: 0,
  };
}
