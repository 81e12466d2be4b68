import * as position from './html-position.ts';

export type Attributes = Readonly<Record<string, string>>;

/** How an HTML element changes its reader's position when it opens and when it closes. */
interface HtmlElement {
  open?(at: position.HtmlPosition, attributes: Attributes): void;
  close?(at: position.HtmlPosition): void;
}

const maximumSpan = 50;

/** Elements that are left out with their content. */
export const skippedElements: ReadonlySet<string> = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'datalist',
]);

const blockNames = (
  'address article aside body caption center dd details dialog div dl dt fieldset figcaption figure footer form ' +
  'header hgroup hr html legend main menu nav p section summary tbody tfoot thead'
).split(' ');

const block: HtmlElement = { open: position.startBlock, close: position.startBlock };

type Count = 'bold' | 'italic' | 'code';

const mark = (count: Count): HtmlElement => ({
  open(at) {
    at[count]++;
  },
  close(at) {
    at[count]--;
  },
});

const blockOf = (count: 'preformatted' | 'quotes'): HtmlElement => ({
  open(at) {
    at[count]++;
    position.startBlock(at);
  },
  close(at) {
    at[count] = Math.max(0, at[count] - 1);
    position.startBlock(at);
  },
});

const heading = (level: number): HtmlElement => ({
  open: (at) => position.openHeading(at, level),
  close: position.closeHeading,
});

const cell: HtmlElement = {
  open: (at, { colspan = '1' }) => {
    const columns = Number.parseInt(colspan, 10) || 1;
    position.openCell(at, Math.min(Math.max(columns, 1), maximumSpan));
  },
  close: position.closeCell,
};

export const htmlElements: ReadonlyMap<string, HtmlElement> = new Map<string, HtmlElement>([
  ...blockNames.map((name): [string, HtmlElement] => [name, block]),
  ...[1, 2, 3, 4, 5, 6].map((level): [string, HtmlElement] => [`h${level}`, heading(level)]),
  ['ul', { open: (at) => position.openList(at, false), close: position.closeList }],
  [
    'ol',
    {
      open: (at, { start = '1' }) => position.openList(at, true, Number.parseInt(start, 10)),
      close: position.closeList,
    },
  ],
  ['li', { open: position.openItem, close: position.closeItem }],
  ['pre', blockOf('preformatted')],
  ['blockquote', blockOf('quotes')],
  ['table', { open: position.openTable, close: position.closeTable }],
  ['tr', { open: (at) => at.writer.openRow() }],
  ['td', cell],
  ['th', cell],
  ['br', { open: (at) => at.writer.text('\n') }],
  ['img', { open: (at, { alt, src }) => position.writeImage(at, alt, src) }],
  ['a', { open: (at, { href }) => void at.links.push(href), close: (at) => void at.links.pop() }],
  ...['b', 'strong'].map((name): [string, HtmlElement] => [name, mark('bold')]),
  ...['i', 'em'].map((name): [string, HtmlElement] => [name, mark('italic')]),
  ['code', mark('code')],
]);
