import { makeDocx, makePdf } from '@errand/documents/testing';

export interface Material {
  name: string;
  extension: string;
  /** A page is read as what an address holds. */
  isPage?: boolean;
  make(): Uint8Array;
}

const documentBytes = 49_900_000;
const pageBytes = 4_990_000;
/** Near the end of what is kept of each. */
export const needle = 'The lighthouse keeper counted exactly 417 herons.';

const words =
  'harbour report delivery contract vessel cargo crane dock tide winter engine fuel budget measure council meeting annual'.split(
    ' ',
  );

/** With quotation marks, as most texts have: V8 takes two bytes for each character of such a text. */
function sentence(index: number): string {
  const chosen = Array.from(
    { length: 14 },
    (_, at) => words[(index * 7 + at * (1 + (index % 13))) % words.length],
  );
  return `${chosen.join(' ')} “no” ${index}.`;
}

/** Pieces until they have so many bytes. The needle is in one of them, after a share of all. */
function fill(bytes: number, piece: (text: string, index: number) => string, share = 0.97): string {
  const parts: string[] = [];
  let length = 0;
  let isHidden = false;
  for (let index = 0; length < bytes - 4_000; index++) {
    const hides: boolean = !isHidden && length > bytes * share;
    isHidden ||= hides;
    parts.push(piece(hides ? needle : sentence(index), index));
    length += parts.at(-1)!.length;
  }
  return parts.join('');
}

const utf8 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

const paragraphs = (text: string, index: number) =>
  `${index % 200 === 0 ? `## Section ${index}\n\n` : ''}${text}${index % 5 === 0 ? '\n\n' : ' '}`;
const elements = (text: string, index: number) =>
  `${index % 200 === 0 ? `<h2>Section ${index}</h2>` : ''}<p>${text} <b>bold</b> <a href="/x">link</a></p>\n`;
const paragraphsOfWord = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

/** The characters of a Chinese text take twice the memory of others, and three bytes in a file. */
const chinese = (text: string, index: number) =>
  text === needle ? `${needle}\n` : `${'港口条例规定船舶进港前必须报告货物'.repeat(4)}${index}。\n`;

function pdfPages(count: number): Uint8Array {
  const lines = fill(count * 45 * 110, (text) => `${text.replace(/[“”]/g, '')}\n`).split('\n');
  const pages = Math.ceil(lines.length / 45);
  return makePdf(Array.from({ length: pages }, (_, page) => lines.slice(page * 45, page * 45 + 45)));
}

export const materials: readonly Material[] = [
  { name: 'text, 50 MB', extension: '.txt', make: () => utf8(fill(documentBytes, paragraphs)) },
  {
    name: 'Chinese text, 50 MB',
    extension: '.txt',
    make: () => utf8(fill(documentBytes / 2.7, chinese)),
  },
  {
    name: 'text on one line, 50 MB',
    extension: '.txt',
    make: () => utf8(fill(documentBytes, (text) => `${text} `)),
  },
  {
    name: 'rows, 50 MB',
    extension: '.csv',
    make: () => utf8(`id,what\n${fill(documentBytes, (text, index) => `${index},${text}\n`)}`),
  },
  {
    name: 'HTML, 50 MB',
    extension: '.html',
    make: () => utf8(`<!doctype html>${fill(documentBytes, elements)}`),
  },
  {
    name: 'Word, 50 MB unpacked',
    extension: '.docx',
    make: () => makeDocx(fill(documentBytes, paragraphsOfWord)),
  },
  {
    name: 'Word, 250 MB unpacked',
    extension: '.docx',
    make: () => makeDocx(fill(250_000_000, paragraphsOfWord, 0.25)),
  },
  { name: 'PDF of 2,500 pages', extension: '.pdf', make: () => pdfPages(2_500) },
  { name: 'PDF of 7,500 pages', extension: '.pdf', make: () => pdfPages(7_500) },
  {
    name: 'page, 5 MB',
    extension: '.html',
    isPage: true,
    make: () => utf8(`<!doctype html>${fill(pageBytes, elements)}`),
  },
];
