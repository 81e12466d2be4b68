import type { PdfTextItem } from './lines.ts';

export interface PdfLink {
  address: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** The word edge that is nearest to `position`. */
function wordEdge(text: string, position: number): number {
  for (let distance = 0; distance <= text.length; distance++) {
    for (const place of [position - distance, position + distance]) {
      if (place === 0 || place === text.length) return place;
      const isEdge = /\w/.test(text.charAt(place - 1)) !== /\w/.test(text.charAt(place));
      if (place > 0 && place < text.length && isEdge) return place;
    }
  }
  return position;
}

function linkOver(item: PdfTextItem, links: readonly PdfLink[]): PdfLink | undefined {
  const middle = item.y + item.size * 0.3;
  return links.find(
    ({ left, right, bottom, top }) =>
      middle >= bottom && middle <= top && item.x < right - 1 && item.x + item.width > left + 1,
  );
}

/** Writes a link around the words under its rectangle, because a PDF does not say which words it belongs to. */
export function withLink(item: PdfTextItem, links: readonly PdfLink[]): PdfTextItem {
  const link = item.text.trim() === '' ? undefined : linkOver(item, links);
  if (!link) return item;
  const { text, x, width } = item;
  const place = (at: number) => Math.round(Math.min(Math.max((at - x) / width, 0), 1) * text.length);
  const start = wordEdge(text, place(link.left));
  const end = wordEdge(text, place(link.right));
  const label = text.slice(start, end).trim();
  if (!label || label === link.address || /[[\]]/.test(label)) return item;
  const address = link.address.replaceAll('(', '%28').replaceAll(')', '%29');
  const marked = text.slice(start, end).replace(label, () => `[${label}](${address})`);
  return { ...item, text: text.slice(0, start) + marked + text.slice(end) };
}
