import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { type ClientName, clients } from './client-list.ts';
import { compareOrWritePart, isRewriting, readPart, root, told } from './page.ts';

/** What was tried, and whether it works. */
export interface Row {
  tried: string;
  works: string;
}

const versionOf = (name: string): string =>
  JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8')).version;

/** The installed version, with that of the package that runs the client. */
function version(name: ClientName): string {
  const found = clients.find((each) => each.name === name);
  const runner = found && 'with' in found ? `, \`${found.with}\` ${versionOf(found.with)}` : '';
  return `${versionOf(name)}${runner}`;
}

const lineOf = (...cells: string[]): string => `| ${cells.join(' | ')} |\n`;
const cells = (line: string): string[] => line.slice(2, -3).split(' | ');
const place = (line: string): number => clients.findIndex(({ name }) => cells(line)[0] === `\`${name}\``);

export const groupOf = (name: string, part: string): string => `\`${name}\` ${part}`;

/** The client and the part of a line. */
const groupOfLine = (line: string): string => `${cells(line)[0]} ${cells(line)[2]}`;

const tableHead = '| client | version | part | tried | works |\n|---|---|---|---|---|\n';

/** The lines of the page's table, without its head. */
const readLines = (): string[] =>
  readPart('table')
    .split(/(?<=\n)/)
    .slice(2);

/** Compares the rows of a client's part with the page, or writes them. */
export function compareOrWriteRows(name: ClientName, part: string, rows: readonly Row[]): void {
  const made = rows.map(({ tried, works }) => lineOf(`\`${name}\``, version(name), part, tried, works));
  const isOwn = (line: string) => groupOfLine(line) === groupOf(name, part);
  if (!isRewriting) {
    expect(readLines().filter(isOwn), told).toEqual(made);
    return;
  }
  const all = [...readLines().filter((line) => !isOwn(line)), ...made];
  all.sort((a, b) => place(a) - place(b) || groupOfLine(a).localeCompare(groupOfLine(b)));
  compareOrWritePart('table', `${tableHead}${all.join('')}`);
  compareOrWriteSummary();
}

/** Compares the parts of all clients with the page, or removes the rows of others. */
export function compareOrDropGroups(groups: readonly string[]): void {
  const known = readLines().filter((line) => groups.includes(groupOfLine(line)));
  compareOrWritePart('table', `${tableHead}${known.join('')}`);
  if (!isRewriting) expect(new Set(known.map(groupOfLine)), told).toEqual(new Set(groups));
}

/** Compares the summary with the table of the page, or writes it. */
export function compareOrWriteSummary(): void {
  const lines = clients.flatMap(({ name }, index) => {
    const own = readLines()
      .filter((line) => place(line) === index)
      .map(cells);
    const failing = own.filter(([, , , , works]) => works !== 'yes').map(([, , , tried = '']) => tried);
    const counted = `${own.length - failing.length} of ${own.length}`;
    return own.length === 0 ? [] : [lineOf(`\`${name}\``, version(name), counted, failing.join('; '))];
  });
  const head = '| client | version | works | does not work |\n|---|---|---|---|\n';
  compareOrWritePart('summary', `${head}${lines.join('')}`);
}
