import type { TextDecoder } from 'node:util';
import { createMarkdownWriter, type MarkdownWriter } from '@errand/text';
import { DocumentError } from '../document-error.ts';
import { addInstruction } from '../hyperlink-field.ts';
import { createRtfBody, type RtfBody } from './body.ts';
import { decoderForCharset, decoderForCodePage } from './charsets.ts';
import { destinationOf, firstGroup, type RtfGroup } from './group.ts';
import type { RtfToken } from './tokens.ts';
import { applyFormatting, characterOf, endsOf } from './words.ts';

/** A reader's state between two tokens of rich text. */
interface RtfState {
  writer: MarkdownWriter;
  body: RtfBody;
  /** The groups around the open one. */
  groups: RtfGroup[];
  group: RtfGroup;
  fonts: Map<number, TextDecoder>;
  /** Heading levels, by the number of the style. */
  headingStyles: Map<number, number>;
  notes: string[];
  documentDecoder: TextDecoder;
  /** Bytes that are not decoded yet, because a character may have two of them. */
  bytes: number[];
  /** The number of characters to skip. They stand in for a Unicode character in readers that cannot show it. */
  fallbacksToSkip: number;
  styleName: string;
  title: string;
}

const maximumDepth = 10_000;
/** A list's marker is a few characters long; the rest of a longer one is dropped. */
const markerCharacters = 200;
const hyperlink = /^\s*HYPERLINK\s+(?:\\l\s+)?"([^"]+)"/i;
const noHeadings: ReadonlyMap<number, number> = new Map();

export function startRtf(outputCharacters: number): RtfState {
  const writer = createMarkdownWriter(outputCharacters);
  return {
    writer,
    body: createRtfBody(writer),
    groups: [],
    group: firstGroup(),
    fonts: new Map(),
    headingStyles: new Map(),
    notes: [],
    documentDecoder: decoderForCodePage(1252),
    bytes: [],
    fallbacksToSkip: 0,
    styleName: '',
    title: '',
  };
}

export function readRtfToken(state: RtfState, token: RtfToken): void {
  if (token.kind === 'byte') {
    if (state.fallbacksToSkip > 0) state.fallbacksToSkip--;
    else state.bytes.push(token.value);
    return;
  }
  decodeBytes(state);
  if (token.kind === 'text') readText(state, token.text);
  else if (token.kind === 'word') readWord(state, token.word, token.value);
  else if (token.kind === 'open') openGroup(state);
  else closeGroup(state);
}

export function finishRtf(state: RtfState): { text: string; truncatedCharacters: number } {
  const { writer, notes } = state;
  decodeBytes(state);
  state.body.finish();
  for (const [index, note] of notes.entries()) {
    writer.begin({ kind: 'paragraph' });
    writer.text(`[^${index + 1}]: ${note.trim()}`);
  }
  return writer.finish();
}

function openGroup(state: RtfState): void {
  state.fallbacksToSkip = 0;
  if (state.groups.length >= maximumDepth) {
    throw new DocumentError('broken', 'The file is nested too deeply to be read.');
  }
  state.groups.push(state.group);
  state.group = { ...state.group };
}

function closeGroup(state: RtfState): void {
  state.fallbacksToSkip = 0;
  state.group = state.groups.pop() ?? firstGroup();
}

function decodeBytes(state: RtfState): void {
  if (state.bytes.length === 0) return;
  const decoder = state.fonts.get(state.group.font) ?? state.documentDecoder;
  const text = decoder.decode(Uint8Array.from(state.bytes));
  state.bytes = [];
  writeText(state, text);
}

function readText(state: RtfState, text: string): void {
  const skipped = Math.min(state.fallbacksToSkip, text.length);
  state.fallbacksToSkip -= skipped;
  const shown = text.slice(skipped);
  if (/^[\x00-\x7f]*$/.test(shown)) writeText(state, shown);
  else {
    for (const character of shown) state.bytes.push(character.charCodeAt(0));
    decodeBytes(state);
  }
}

function readWord(state: RtfState, word: string, value: number | undefined): void {
  const { group } = state;
  const character = characterOf(word);
  if (word === '*') group.ignorable = true;
  else if (enterDestination(state, word) || endText(state, word)) return;
  else if (word === 'field') group.field = { instruction: '' };
  else if (word === 'u' && value !== undefined) {
    writeText(state, String.fromCharCode(value < 0 ? value + 65_536 : value));
    state.fallbacksToSkip = group.fallbackCharacters;
  } else if (word === 'ansicpg' && value) state.documentDecoder = decoderForCodePage(value);
  else if (word === 'fcharset' && group.destination === 'fonts') {
    const decoder = decoderForCharset(value ?? 0);
    if (decoder) state.fonts.set(group.font, decoder);
  } else if (character !== undefined) writeText(state, character);
  else applyFormatting(group, word, value, group.destination === 'styles' ? noHeadings : state.headingStyles);
}

/** Starts a destination. Returns false if the word names none. */
function enterDestination(state: RtfState, word: string): boolean {
  const { group, notes } = state;
  const destination = destinationOf(word, group.ignorable);
  group.ignorable = false;
  if (!destination || group.destination === 'skip') return false;
  if (destination === 'note') {
    writeText(state, `[^${notes.length + 1}]`);
    notes.push('');
    group.paragraph = { ...group.paragraph };
  }
  if (destination === 'marker') group.paragraph.marker = '';
  group.destination = destination;
  return true;
}

/** Ends a paragraph, a cell or a row. Returns false if the word does not. */
function endText(state: RtfState, word: string): boolean {
  const { group, body } = state;
  const ended = endsOf(word);
  if (!ended) return false;
  if (group.destination === 'note') writeText(state, ' ');
  if (group.destination !== 'body') return true;
  group.paragraph.marker = '';
  if (ended === 'cell') body.endCell();
  else if (ended === 'row') body.endRow();
  else body.endParagraph();
  return true;
}

function writeText(state: RtfState, text: string): void {
  const { notes, group } = state;
  const { destination, hidden, bold, italic, field, paragraph } = group;
  if (destination === 'body' && !hidden) {
    state.body.text(text, { bold, italic, link: field.link || undefined }, paragraph);
  } else if (destination === 'instruction') addInstruction(field, text, hyperlink);
  else if (destination === 'marker') {
    if (paragraph.marker.length < markerCharacters)
      paragraph.marker += text.slice(0, markerCharacters - paragraph.marker.length);
  } else if (destination === 'title') state.title += text;
  else if (destination === 'styles') nameStyle(state, text);
  else if (destination === 'note') notes[notes.length - 1] += text;
}

function nameStyle(state: RtfState, text: string): void {
  state.styleName += text;
  if (!text.includes(';')) return;
  const name = state.styleName.split(';')[0]!.trim();
  const level = /^title$/i.test(name) ? '1' : /^heading ([1-9])$/i.exec(name)?.[1];
  if (level) state.headingStyles.set(state.group.style, Number(level));
  state.styleName = '';
}
