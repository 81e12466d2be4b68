/**
 * Whether the value has more levels or parts than these, lists and objects counted. Walks without recursion, because that is
 * what deep values break.
 */
export function isBeyond(value: object, most: { levels: number; parts: number }): boolean {
  let level: object[] = [value];
  let seen = 0;
  for (let depth = 0; level.length > 0; depth++) {
    seen += level.length;
    if (depth > most.levels || seen > most.parts) return true;
    level = level.flatMap((part) => Object.values(part).filter((each) => typeof each === 'object' && each));
  }
  return false;
}
