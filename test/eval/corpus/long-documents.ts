import { makePdf } from '@errand/documents/testing';
import { seeded } from '../random.ts';
import type { Statement } from '../score/statements.ts';
import { type Material, makePage, paragraph } from './material.ts';
import { makeSlides, makeWord } from './office-files.ts';
import { fillerParagraph } from './prose.ts';
import { contentTypes } from './short-documents.ts';

const paragraphsPerChapter = 12;
const knownParagraphs = 300;
const linesPerPage = 40;
const lineCharacters = 90;

/** Chapters of prose of about so many characters, and the sentence at the very end. Headings begin with `# `. */
function longLines(title: string, characters: number, sentence: string): string[] {
  const random = seeded(`long ${title}`);
  const pool = Array.from({ length: knownParagraphs }, () => fillerParagraph(random));
  const lines = [`# ${title}`];
  let written = 0;
  for (let chapter = 1; written < characters; chapter++) {
    lines.push(`# Chapter ${chapter}`);
    for (let i = 0; i < paragraphsPerChapter; i++) {
      const text = random.pick(pool);
      lines.push(text);
      written += text.length;
    }
  }
  return [...lines, '# Appendix', `${random.pick(pool)} ${sentence}`];
}

export type LongKind = '.txt' | '.md' | '.docx' | '.pptx' | '.pdf' | '.html';

interface LongDocument {
  kind: LongKind;
  path: string;
  title: string;
  characters: number;
  sentence: string;
  states: readonly Statement[];
  /** A page that a search finds. */
  isIndexed?: boolean;
}

/** A document of any length with one fact, which is its last sentence. */
export function longDocument({
  kind,
  path,
  title,
  characters,
  sentence,
  states,
  isIndexed = false,
}: LongDocument): Material {
  const lines = longLines(title, characters, sentence);
  if (kind === '.html')
    return makePage({ path, title, body: lines.map(toMarkup).join('\n'), states, isIndexed });
  return {
    path,
    title,
    contentType: contentTypes[kind],
    bytes: bytesOf(kind, lines),
    states,
    isIndexed,
  };
}

const isHeading = (line: string): boolean => line.startsWith('# ');

const toMarkup = (line: string): string => (isHeading(line) ? `<h2>${line.slice(2)}</h2>` : paragraph(line));

function bytesOf(kind: Exclude<LongKind, '.html'>, lines: readonly string[]): Uint8Array {
  if (kind === '.docx') return makeWord(lines);
  if (kind === '.md') return Buffer.from(lines.join('\n\n'));
  if (kind === '.txt') return Buffer.from(lines.map((line) => line.replace(/^# /, '')).join('\n\n'));
  if (kind === '.pdf') return makePdf(pages(lines.flatMap((line) => broken(line.replace(/^# /, '')))));
  const slides: string[][] = [];
  for (const line of lines)
    if (isHeading(line) || slides.length === 0) slides.push([line.replace(/^# /, '')]);
    else slides.at(-1)!.push(line);
  return makeSlides(slides);
}

/** The words of a line in lines of a page's width. */
function broken(line: string): string[] {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1)!;
    if (last.length + word.length > lineCharacters) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

const pages = (lines: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(lines.length / linesPerPage) }, (_, i) =>
    lines.slice(i * linesPerPage, (i + 1) * linesPerPage),
  );
