import type { Span } from './screen.ts';

/** What the screen showed from a moment on. */
export interface Frame {
  atSeconds: number;
  rows: Span[][];
}

/** A row that did not change for a while. */
interface Shown {
  row: number;
  spans: Span[];
  from: number;
  to: number;
}

/** How long the last frame is shown before the first comes again. */
const restSeconds = 6;
const characterWidth = 7.4;
const lineHeight = 17;
const margin = 16;
const bar = 26;

const colours: Record<string, string> = {
  '2': '#8b98a5',
  '30': '#8b98a5',
  '31': '#ff8a80',
  '32': '#8ddb8c',
  '33': '#e6c46a',
  '34': '#82b1ff',
  '35': '#d7a6ff',
  '36': '#7fd7dc',
  '90': '#8b98a5',
};

/**
 * An animation that shows the frames again and again, from the first on. It needs no script, so that pages may have it as an
 * image. For those who want less motion, and where nothing is animated, it is the last frame.
 */
export function writeSvg(
  frames: readonly Frame[],
  size: { columns: number; height: number },
  title: string,
): string {
  const start = frames[0]?.atSeconds ?? 0;
  const seconds = (frames.at(-1)?.atSeconds ?? 0) - start + restSeconds;
  const width = Math.round(size.columns * characterWidth + 2 * margin);
  const height = size.height * lineHeight + 2 * margin + bar;
  const moved = frames.map(({ atSeconds, rows }) => ({ atSeconds: atSeconds - start, rows }));
  const shown = rowsOf(moved, seconds);
  const times = [...new Set(shown.map(timeOf))];
  const rules = times.map((time, index) => ruleOf(time, index, seconds)).join('');
  const lines = shown.map(
    (each) =>
      `<text class="t${times.indexOf(timeOf(each))}${each.to === seconds ? ' rest' : ''}" x="${margin}" y="${bar + margin + (each.row + 1) * lineHeight - 4}">` +
      `${each.spans.map(writeSpan).join('')}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}">`,
    `<style>text{font:12.3px ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#dde4ea;white-space:pre;visibility:hidden}.rest{visibility:visible}@media(prefers-reduced-motion:no-preference){${rules}}</style>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#14191f"/>`,
    ...['#ff5f57', '#febc2e', '#28c840'].map(
      (fill, index) => `<circle cx="${margin + 4 + index * 18}" cy="17" r="5" fill="${fill}"/>`,
    ),
    ...lines,
    '</svg>\n',
  ].join('\n');
}

function rowsOf(frames: readonly Frame[], end: number): Shown[] {
  const shown: Shown[] = [];
  const open = new Map<number, Shown>();
  const close = (row: number, at: number) => {
    const each = open.get(row);
    if (each) shown.push({ ...each, to: at });
    open.delete(row);
  };
  for (const { atSeconds, rows } of frames) {
    for (const row of new Set([...open.keys(), ...rows.keys()])) {
      const spans = rows[row] ?? [];
      if (JSON.stringify(open.get(row)?.spans ?? []) === JSON.stringify(spans)) continue;
      close(row, atSeconds);
      if (spans.length > 0) open.set(row, { row, spans, from: atSeconds, to: end });
    }
  }
  for (const row of [...open.keys()]) close(row, end);
  return shown;
}

const timeOf = ({ from, to }: Shown): string => `${from.toFixed(2)} ${to.toFixed(2)}`;

function ruleOf(time: string, index: number, seconds: number): string {
  const [from = 0, to = 0] = time.split(' ').map((each) => (Number(each) / seconds) * 100);
  const hidden = from > 0 ? `0%{visibility:hidden}` : '';
  const gone = to < 99.99 ? `${to.toFixed(3)}%,100%{visibility:hidden}` : '100%{visibility:visible}';
  return (
    `@keyframes k${index}{${hidden}${from.toFixed(3)}%{visibility:visible}${gone}}` +
    `.t${index}{animation:k${index} ${seconds.toFixed(2)}s step-end infinite}`
  );
}

function writeSpan({ text, style }: Span): string {
  const codes = style.split(';');
  const colour = codes.map((code) => colours[code]).find((each) => each !== undefined);
  const attributes = [
    ...(colour === undefined ? [] : [`fill="${colour}"`]),
    ...(codes.includes('1') ? ['font-weight="bold"'] : []),
  ];
  return attributes.length === 0
    ? escapeText(text)
    : `<tspan ${attributes.join(' ')}>${escapeText(text)}</tspan>`;
}

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
