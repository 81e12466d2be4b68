import { fencedBlocks, inlineCode, linesOf } from './code-spans.ts';
import { linkSpans } from './link-spans.ts';
import { type Marker, readMarkers } from './read-markers.ts';
import { isBlank, type Span } from './span.ts';

/** The citation markers of a markdown text, in its order: `[1]`, `[1, 2]`, `[1-3]`. Those in code and links are none. */
export function findMarkers(answer: string): Marker[] {
  return paragraphsOf(answer).flatMap((paragraph) => {
    const markers = readMarkers(answer, paragraph);
    if (markers.length === 0) return [];
    const code = inlineCode(answer, paragraph);
    const links = linkSpans(answer, paragraph, { code, markers });
    return outside(outside(markers, code), links);
  });
}

/** The text between blank lines and fenced blocks. */
function paragraphsOf(text: string): Span[] {
  const fences = fencedBlocks(text);
  const paragraphs: Span[] = [];
  let open: Span | undefined;
  let fence = 0;
  for (const line of linesOf(text)) {
    while (fence < fences.length && fences[fence]!.endIndex < line.startIndex) fence++;
    const inFence = fence < fences.length && fences[fence]!.startIndex <= line.startIndex;
    if (inFence || isBlank(text, line)) open = undefined;
    else if (open) open.endIndex = line.endIndex;
    else {
      open = { ...line };
      paragraphs.push(open);
    }
  }
  return paragraphs;
}

/** The parts that begin in none of the spans. Both are in the order of the text. */
function outside<Part extends Span>(parts: readonly Part[], spans: readonly Span[]): Part[] {
  let end = 0;
  let next = 0;
  return parts.filter(({ startIndex }) => {
    for (; next < spans.length && spans[next]!.startIndex <= startIndex; next++)
      end = Math.max(end, spans[next]!.endIndex);
    return startIndex >= end;
  });
}
