import type { TextDecoder } from 'node:util';
import { createMarkdownWriter } from '@errand/text';
import { createConversion, type ReadFormat } from '../conversion.ts';
import { DocumentError } from '../document-error.ts';
import { createRtfBody } from './body.ts';
import { decoderForCharset, decoderForCodePage } from './charsets.ts';
import { destinationOf, firstGroup, type RtfGroup } from './group.ts';
import { type RtfToken, readRtfTokens } from './tokens.ts';
import { applyFormatting, characterOf } from './words.ts';

const maximumDepth = 10_000;

/** One pass over the tokens; the writer gets the body, the rest is kept for the end. */
function createRtfReader(outputCharacters: number) {
  const writer = createMarkdownWriter(outputCharacters);
  const body = createRtfBody(writer);
  const groups: RtfGroup[] = [];
  const fonts = new Map<number, TextDecoder>();
  const headingStyles = new Map<number, number>();
  const notes: string[] = [];
  let group = firstGroup();
  let documentDecoder = decoderForCodePage(1252);
  let bytes: number[] = [];
  let fallbacksToSkip = 0;
  let styleName = '';
  let title = '';

  function nameStyle(text: string): void {
    styleName += text;
    if (!text.includes(';')) return;
    const name = styleName.split(';')[0]!.trim();
    const level = /^title$/i.test(name) ? '1' : /^heading ([1-9])$/i.exec(name)?.[1];
    if (level) headingStyles.set(group.style, Number(level));
    styleName = '';
  }

  function put(text: string): void {
    const { destination, hidden, bold, italic, field, paragraph } = group;
    if (destination === 'body' && !hidden) {
      const link = /^\s*HYPERLINK\s+(?:\\l\s+)?"([^"]+)"/i.exec(field.instruction)?.[1];
      body.text(text, { bold, italic, ...(link && { link }) }, paragraph);
    } else if (destination === 'instruction') field.instruction += text;
    else if (destination === 'marker') paragraph.marker += text;
    else if (destination === 'title') title += text;
    else if (destination === 'styles') nameStyle(text);
    else if (destination === 'note') notes[notes.length - 1] += text;
  }

  function flushBytes(): void {
    if (bytes.length === 0) return;
    const decoder = fonts.get(group.font) ?? documentDecoder;
    const text = decoder.decode(Uint8Array.from(bytes));
    bytes = [];
    put(text);
  }

  function enter(word: string): boolean {
    const destination = destinationOf(word, group.ignorable);
    group.ignorable = false;
    if (!destination || group.destination === 'skip') return false;
    if (destination === 'note') {
      put(`[^${notes.length + 1}]`);
      notes.push('');
      group.paragraph = { ...group.paragraph };
    }
    if (destination === 'marker') group.paragraph.marker = '';
    group.destination = destination;
    return true;
  }

  function endOfLine(word: string): boolean {
    if (!['par', 'sect', 'page', '\n', '\r', 'cell', 'row'].includes(word)) return false;
    if (group.destination === 'note') put(' ');
    if (group.destination !== 'body') return true;
    group.paragraph.marker = '';
    if (word === 'cell') body.endCell();
    else if (word === 'row') body.endRow();
    else body.endParagraph();
    return true;
  }

  function readWord(word: string, value: number | undefined): void {
    if (word === '*') group.ignorable = true;
    else if (enter(word) || endOfLine(word)) return;
    else if (word === 'field') group.field = { instruction: '' };
    else if (word === 'u' && value !== undefined) {
      put(String.fromCharCode(value < 0 ? value + 65_536 : value));
      fallbacksToSkip = group.fallbackCharacters;
    } else if (word === 'ansicpg' && value) documentDecoder = decoderForCodePage(value);
    else if (word === 'fcharset' && group.destination === 'fonts') {
      const decoder = decoderForCharset(value ?? 0);
      if (decoder) fonts.set(group.font, decoder);
    } else if (characterOf(word) !== undefined) put(characterOf(word)!);
    else applyFormatting(group, word, value, group.destination === 'styles' ? new Map() : headingStyles);
  }

  function readText(text: string): void {
    const skipped = Math.min(fallbacksToSkip, text.length);
    fallbacksToSkip -= skipped;
    const shown = text.slice(skipped);
    if (/^[\x00-\x7f]*$/.test(shown)) put(shown);
    else {
      for (const character of shown) bytes.push(character.charCodeAt(0));
      flushBytes();
    }
  }

  function openGroup(): void {
    fallbacksToSkip = 0;
    if (groups.length >= maximumDepth) {
      throw new DocumentError('broken', 'The file is nested too deeply to be read.');
    }
    groups.push(group);
    group = { ...group };
  }

  function closeGroup(): void {
    fallbacksToSkip = 0;
    group = groups.pop() ?? firstGroup();
  }

  function read(token: RtfToken): void {
    if (token.kind === 'byte') {
      if (fallbacksToSkip > 0) fallbacksToSkip -= 1;
      else bytes.push(token.value);
      return;
    }
    flushBytes();
    if (token.kind === 'text') readText(token.text);
    else if (token.kind === 'word') readWord(token.word, token.value);
    else if (token.kind === 'open') openGroup();
    else closeGroup();
  }

  function finish() {
    flushBytes();
    body.finish();
    for (const [index, note] of notes.entries()) {
      writer.begin({ kind: 'paragraph' });
      writer.text(`[^${index + 1}]: ${note.trim()}`);
    }
    return createConversion(writer.finish(), { title });
  }

  return { read, finish };
}

export const readRtf: ReadFormat = async (bytes, options) => {
  const reader = createRtfReader(options.outputCharacters);
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  for (const token of readRtfTokens(source)) reader.read(token);
  return reader.finish();
};
