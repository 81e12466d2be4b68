import { expandItem, findMarkers, itemsOf, type Marker } from './markers.ts';

/** Characters before which no space is left. */
const closes = /^(?:$|[\s.,;:!?)\]}»”’"'…|。，、！？；：）」』])/;

/**
 * The answer without the citations that point to no source. A list of sources loses only the numbers that are unknown. All
 * other text stays as it is, except for the space before a marker that is gone.
 */
export function removeUnknown(answer: string, known: ReadonlySet<number>): string {
  const parts: string[] = [];
  let from = 0;
  let isAfterRemoved = false;
  for (const marker of findMarkers(answer)) {
    const between = answer.slice(from, marker.startIndex);
    const kept = knownPart(answer.slice(marker.startIndex, marker.endIndex), marker, known);
    if (between !== '') append(parts, between, isAfterRemoved);
    isAfterRemoved = kept === '';
    parts.push(kept);
    from = marker.endIndex;
  }
  append(parts, answer.slice(from), isAfterRemoved);
  return parts.join('');
}

/** Adds text. After a removed marker, the spaces before it go if the text needs none there. */
function append(parts: string[], text: string, isAfterRemoved: boolean): void {
  if (!isAfterRemoved || !closes.test(text)) {
    parts.push(text);
    return;
  }
  let spaces = '';
  let before = parts.pop() ?? '';
  for (; /^[ \t]*$/.test(before) && parts.length > 0; before = parts.pop()!) spaces = before + spaces;
  const end = endWithoutSpaces(before);
  const opensLine = end === 0 || before[end - 1] === '\n';
  // A line's indent stays.
  if (opensLine) parts.push(before, spaces, text.startsWith(' ') ? text.slice(1) : text);
  else parts.push(before.slice(0, end), text);
}

function endWithoutSpaces(text: string): number {
  let end = text.length;
  while (end > 0 && (text[end - 1] === ' ' || text[end - 1] === '\t')) end--;
  return end;
}

function knownPart(text: string, { numbers }: Marker, known: ReadonlySet<number>): string {
  if (numbers.every((number) => known.has(number))) return text;
  const kept = itemsOf(text).flatMap((item) => {
    const expanded = expandItem(item) ?? [];
    return expanded.every((number) => known.has(number))
      ? [item]
      : expanded.filter((number) => known.has(number)).map(String);
  });
  return kept.length === 0 ? '' : `[${kept.join(', ')}]`;
}
