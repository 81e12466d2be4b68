import { elementsIn, readElement, readFloat, readUnsigned } from './matroska-elements.ts';
import { type RecordingParts, readTail } from './recording-bytes.ts';
import { estimateFromBeginning, estimateFromMost, type ReadLength } from './told-length.ts';

/** RFC 9559. */
const ids = {
  segment: 0x18538067,
  info: 0x1549a966,
  timestampScale: 0x2ad7b1,
  duration: 0x4489,
  cluster: 0x1f43b675,
  timestamp: 0xe7,
  simpleBlock: 0xa3,
  blockGroup: 0xa0,
  block: 0xa1,
};
const clusterId = Buffer.from('1f43b675', 'hex');
const nanosecondsPerSecond = 1e9;
/** The most clusters that are tried, because each may be read to its end. */
const mostTries = 8;
const usualScaleNanoseconds = 1e6;

/** The duration of the header, else the time of the last block: a browser's recorder writes the header first and never completes it. */
export const readMatroska: ReadLength = async (file) => {
  const info = readInfo(file.head);
  if (info.units > 0 && Number.isFinite(info.units))
    return { seconds: info.units * info.unitSeconds, exact: true };
  if (file.bytes === undefined) return undefined;
  const last = await findLastCluster(file);
  if (last)
    return {
      seconds: estimateFromMost(last.units * info.unitSeconds, last.offset, file.bytes),
      exact: false,
    };
  const early = findTime(file.head);
  return early && estimateFromBeginning(early.units * info.unitSeconds, early.offset, file.bytes);
};

function readInfo(head: Buffer): { units: number; unitSeconds: number } {
  let units = 0;
  let scale = 0;
  const segment = [...elementsIn(head, 0)].find(({ id }) => id === ids.segment);
  for (const element of segment ? elementsIn(head, segment.start, segment.end) : []) {
    if (element.id === ids.cluster) break;
    if (element.id !== ids.info) continue;
    for (const fact of elementsIn(head, element.start, element.end)) {
      if (fact.id === ids.duration) units = readFloat(head, fact);
      if (fact.id === ids.timestampScale) scale = readUnsigned(head, fact);
    }
  }
  return { units, unitSeconds: (scale || usualScaleNanoseconds) / nanosecondsPerSecond };
}

/** Searches backwards from the end, because a cluster may last half a minute. */
async function findLastCluster(file: RecordingParts) {
  for (let before = 0; before < (file.bytes ?? 0); ) {
    const { offset, part } = await readTail(file, before);
    if (part.length === 0) return undefined;
    const found = findTime(part);
    if (found) return { units: found.units, offset: offset + found.offset };
    before = (file.bytes ?? 0) - offset;
  }
  return undefined;
}

/** The time of the last block that can be read of the last cluster. */
function findTime(part: Buffer): { units: number; offset: number } | undefined {
  let at = part.length;
  for (let tries = 0; tries < mostTries && at > 0; tries++) {
    at = part.lastIndexOf(clusterId, at - 1);
    if (at < 0) return undefined;
    const found = readCluster(part, at);
    if (found && found.units > 0) return found;
  }
  return undefined;
}

function readCluster(part: Buffer, at: number): { units: number; offset: number } | undefined {
  const cluster = readElement(part, at);
  if (!cluster) return undefined;
  let base: number | undefined;
  let latest = 0;
  let offset = at;
  for (const element of elementsIn(part, cluster.start, cluster.end)) {
    if (element.id === ids.cluster) break;
    if (element.id === ids.timestamp) base = readUnsigned(part, element);
    const block = element.id === ids.blockGroup ? readElement(part, element.start) : element;
    if (block?.id !== ids.simpleBlock && block?.id !== ids.block) continue;
    // The track's number, in one byte for all but odd files, then the time within the cluster.
    if (block.start + 3 > part.length) break;
    latest = Math.max(latest, part.readInt16BE(block.start + 1));
    offset = element.end;
  }
  return base === undefined ? undefined : { units: base + latest, offset: Math.min(offset, part.length) };
}
