/** A run of characters in one style. */
export interface Span {
  text: string;
  /** SGR codes that hold, such as `1` for bold and `32` for green. */
  style: string;
}

interface Screen {
  write(output: string): void;
  /** The visible rows, without blanks at their ends. */
  rows(): Span[][];
}

interface Cell {
  character: string;
  style: string;
}

/** One step of output: a control sequence, a control character, or a character to show. */
const tokens = /\x1b\[([?>]?[\d;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b.|[\s\S]/gu;

/** A terminal of so many columns and rows, which understands as much as commands of this project use. */
export function createScreen(columns: number, height: number): Screen {
  const cells: Cell[][] = [[]];
  let row = 0;
  let column = 0;
  let style = '';
  const newLine = () => {
    row++;
    cells[row] ??= [];
    if (cells.length <= height) return;
    cells.shift();
    row--;
  };
  const put = (character: string) => {
    if (column === columns) {
      newLine();
      column = 0;
    }
    const line = cells[row]!;
    while (line.length < column) line.push({ character: ' ', style: '' });
    line[column++] = { character, style };
  };
  const control = (parameters: string, command: string) => {
    const amount = Number(parameters) || 1;
    if (command === 'm') style = nextStyle(style, parameters);
    else if (command === 'K')
      cells[row]!.length = Math.min(cells[row]!.length, parameters === '2' ? 0 : column);
    else if (command === 'J') cells.splice(row, cells.length, cells[row]!.slice(0, column));
    else if (command === 'A') row = Math.max(0, row - amount);
    else if (command === 'B') for (let i = 0; i < amount; i++) newLine();
    else if (command === 'C') column = Math.min(columns, column + amount);
    else if (command === 'D') column = Math.max(0, column - amount);
    else if (command === 'G') column = amount - 1;
  };
  return {
    write(output) {
      for (const [token, parameters, command] of output.matchAll(tokens)) {
        if (command !== undefined) control(parameters ?? '', command);
        else if (token === '\n') newLine();
        else if (token === '\r') column = 0;
        else if (token === '\b') column = Math.max(0, column - 1);
        else if (token >= ' ' && !token.startsWith('\x1b')) put(token);
      }
    },
    rows: () => cells.map(spansOf),
  };
}

function nextStyle(style: string, parameters: string): string {
  const codes = new Set(style.split(';').filter(Boolean));
  for (const code of parameters.split(';')) {
    if (code === '' || code === '0') codes.clear();
    else if (code === '22') for (const weight of ['1', '2']) codes.delete(weight);
    else if (code === '39') for (const each of codes) codes.delete(/^(3|9)\d$/.test(each) ? each : '');
    else codes.add(code);
  }
  return [...codes].sort().join(';');
}

function spansOf(cells: readonly Cell[]): Span[] {
  const spans: Span[] = [];
  for (const { character, style } of cells) {
    const last = spans.at(-1);
    if (last?.style === style) last.text += character;
    else spans.push({ text: character, style });
  }
  const end = spans.at(-1);
  if (end) end.text = end.text.trimEnd();
  return spans.filter(({ text }) => text !== '');
}
