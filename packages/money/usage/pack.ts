import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { limits } from '@errand/platform';
import type { Group, Subject, Tally } from './tally.ts';

/** The sums as text, always in the same order. */
export function writeTally(tally: Tally): string {
  const rows = [...tally.keys()].sort().map((key) => {
    const [hour, subject, sums] = tally.get(key) as Group;
    return [hour, ...subject, ...sums];
  });
  return JSON.stringify(rows);
}

/** Packs the sums, and cuts them into parts that an item can hold. There is at least one. */
export function packTally(tally: Tally): Buffer[] {
  const packed = deflateRawSync(writeTally(tally));
  const parts: Buffer[] = [];
  for (let at = 0; at === 0 || at < packed.length; at += limits.rollUpPartBytes)
    parts.push(packed.subarray(at, at + limits.rollUpPartBytes));
  return parts;
}

export function unpackGroups(parts: readonly Uint8Array[]): Group[] {
  const rows = JSON.parse(String(inflateRawSync(Buffer.concat(parts)))) as unknown[][];
  return rows.map((row) => [
    row[0] as number,
    row.slice(1, 6) as unknown as Subject,
    row.slice(6) as number[],
  ]);
}

/** The digest of the parts and of what they belong to: quiet days have the same parts. */
export function digestOf(what: { day: number; untilHour: number }, parts: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(`${what.day}:${what.untilHour}:`);
  for (const part of parts) hash.update(part);
  return hash.digest('hex').slice(0, 32);
}
