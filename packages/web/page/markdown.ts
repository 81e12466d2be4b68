import type { PageElement } from './dom.ts';

/** Markdown of a part of a page. A table of data comes as rows, the first of them as its head. */
export async function writeMarkdown(content: PageElement): Promise<string> {
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' });
  const isLayout = layoutTables();
  turndown.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (text, node) => (isLayout(node as PageElement) ? asBlock(text) : writeCell(text)),
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement: (text, node) => (isLayout(node as PageElement) ? text : writeRow(text, node as PageElement)),
  });
  turndown.addRule('rows', { filter: ['thead', 'tbody', 'tfoot'], replacement: (text) => text });
  turndown.addRule('table', { filter: ['table', 'caption'], replacement: asBlock });
  turndown.addRule('code', { filter: 'pre', replacement: (_text, node) => writeCode(node as PageElement) });
  return turndown.turndown(content as never).trim();
}

const asBlock = (text: string) => `\n\n${text.trim()}\n\n`;

const writeCell = (text: string) =>
  ` ${text
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')} |`;

function writeCode(block: PageElement): string {
  const code = (block.textContent ?? '').replace(/^\n|\n$/g, '');
  const longestRun = Math.max(2, ...(code.match(/`{3,}/g) ?? []).slice(0, 1000).map((run) => run.length));
  const fence = '`'.repeat(longestRun + 1);
  return `\n\n${fence}\n${code}\n${fence}\n\n`;
}

function writeRow(cells: string, row: PageElement): string {
  if (cells.trim() === '') return '';
  const columns = [...row.children].length;
  return `\n|${cells}${isFirstRow(row) ? `\n|${' --- |'.repeat(columns)}` : ''}`;
}

function isFirstRow(row: PageElement): boolean {
  if (row.previousElementSibling) return false;
  const parent = row.parentNode;
  if (parent?.localName === 'table') return true;
  const before = parent?.previousElementSibling;
  return !before || before.localName === 'caption' || before.localName === 'colgroup';
}

/** Tables that hold blocks lay out a page: in a Markdown row, what is in them could not be read. */
function layoutTables(): (node: PageElement) => boolean {
  const known = new Map<PageElement, boolean>();
  return (node) => {
    const table = node.closest('table');
    if (!table) return true;
    const isLayout = known.get(table) ?? table.querySelector('table, ul, ol, pre, h1, h2, h3, h4') !== null;
    known.set(table, isLayout);
    return isLayout;
  };
}
