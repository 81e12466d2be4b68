import type { BlockStyle, MarkdownWriter } from './markdown-writer.ts';

interface List {
  ordered: boolean;
  next: number;
  item: { marker: string; used: boolean } | undefined;
}

export interface HtmlContext {
  writer: MarkdownWriter;
  startBlock(): void;
  openHeading(level: number): void;
  closeHeading(): void;
  openList(ordered: boolean, start: number): void;
  closeList(): void;
  openItem(): void;
  closeItem(): void;
  openCode(): void;
  closeCode(): void;
  changeQuotes(by: number): void;
  openTable(): void;
  closeTable(): void;
  openCell(columns: number): void;
  closeCell(): void;
  openLink(target: string | undefined): void;
  closeLink(): void;
  changeBold(by: number): void;
  changeItalic(by: number): void;
  lineBreak(): void;
  image(description: string | undefined, source: string | undefined): void;
  text(value: string): void;
}

/** Where in the page the reader stands, and so how the next text is written. */
export function createHtmlContext(writer: MarkdownWriter): HtmlContext {
  const lists: List[] = [];
  const links: (string | undefined)[] = [];
  const cellSpans: number[] = [];
  let heading = 0;
  let code = 0;
  let quotes = 0;
  let bold = 0;
  let italic = 0;
  let tables = 0;

  function style(): BlockStyle {
    if (heading > 0) return { kind: 'heading', level: heading };
    if (code > 0) return { kind: 'code' };
    const item = lists.at(-1)?.item;
    if (item) return { kind: 'item', depth: lists.length - 1, ...(!item.used && { marker: item.marker }) };
    return { kind: quotes > 0 ? 'quote' : 'paragraph' };
  }

  function startBlock(): void {
    writer.begin(style());
  }

  function text(value: string): void {
    const item = lists.at(-1)?.item;
    if (item && !item.used && value.trim()) item.used = true;
    const link = links.at(-1);
    const shown = code > 0 ? value : value.replace(/\s+/g, ' ');
    writer.text(shown, {
      bold: bold > 0 && code === 0,
      italic: italic > 0 && code === 0,
      ...(link && { link }),
    });
  }

  return {
    writer,
    startBlock,
    text,
    openHeading(level) {
      heading = level;
      startBlock();
    },
    closeHeading() {
      heading = 0;
      startBlock();
    },
    openList(ordered, start) {
      lists.push({ ordered, next: Number.isSafeInteger(start) ? start : 1, item: undefined });
      startBlock();
    },
    closeList() {
      lists.pop();
      startBlock();
    },
    openItem() {
      if (lists.length === 0) lists.push({ ordered: false, next: 1, item: undefined });
      const list = lists.at(-1)!;
      list.item = { marker: list.ordered ? `${list.next}.` : '-', used: false };
      list.next += 1;
      startBlock();
    },
    closeItem() {
      const list = lists.at(-1);
      if (list) list.item = undefined;
      startBlock();
    },
    openCode() {
      code += 1;
      startBlock();
    },
    closeCode() {
      code = Math.max(0, code - 1);
      startBlock();
    },
    changeQuotes(by) {
      quotes += by;
      startBlock();
    },
    openTable() {
      tables += 1;
      writer.openTable();
    },
    closeTable() {
      tables -= 1;
      writer.closeTable();
      startBlock();
    },
    openCell(columns) {
      if (tables === 0) return startBlock();
      cellSpans.push(columns);
      writer.openCell();
    },
    closeCell() {
      const columns = cellSpans.pop();
      if (columns === undefined) return startBlock();
      writer.closeCell();
      for (let extra = 1; extra < columns; extra += 1) {
        writer.openCell();
        writer.closeCell();
      }
    },
    openLink(target) {
      links.push(target);
    },
    closeLink() {
      links.pop();
    },
    changeBold(by) {
      bold += by;
    },
    changeItalic(by) {
      italic += by;
    },
    lineBreak() {
      writer.text('\n');
    },
    image(description, source) {
      const shown = description?.trim();
      if (!shown) return;
      text(/^https?:/i.test(source ?? '') ? `![${shown}](${source})` : `![${shown}]`);
    },
  };
}
