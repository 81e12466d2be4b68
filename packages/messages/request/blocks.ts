import { fieldIssue, given, stringField } from '@errand/platform';
import { blocksOf, type Fields } from './fields.ts';

/** A part of a chat message. */
export type Part = Fields & { type: string };

/** How the blocks of a request are read. */
export interface Reading {
  /** Whether every upstream takes `cache_control` at parts. */
  keepsCache: boolean;
  /** Whether a document may be an address: nobody reads the parts then. */
  takesDocumentUrls: boolean;
  /** What marks thinking of this model. */
  tag: string;
}

type Translate = (block: Fields, at: string, reading: Reading) => Part[];

const text = (said: string): Part[] => (said === '' ? [] : [{ type: 'text', text: said }]);

const kinds: Readonly<Record<string, Translate>> = {
  text: (block, at) => text(stringField(block, 'text', at)),
  image: (block, at) => [{ type: 'image_url', image_url: { url: imageUrl(sourceOf(block, at), at) } }],
  document: toDocument,
  search_result: (block, at, reading) => {
    const head = [block.title, block.source].filter((each) => typeof each === 'string');
    const found = joinTexts(toParts(block.content ?? [], `${at}.content`, reading), '\n');
    return text([...head, found].join('\n'));
  },
  tool_reference: (block, at) => text(`The tool ${stringField(block, 'tool_name', at)} can be called now.`),
};

/** What the blocks of a content say, as parts of a chat message. Blocks of kinds that no chat model knows are left out. */
export const toParts = (content: unknown, at: string, reading: Reading): Part[] =>
  blocksOf(content, at).flatMap(({ block, at: place }) => toPart(block, place, reading));

export function toPart(block: Fields & { type: string }, at: string, reading: Reading): Part[] {
  const translate = Object.hasOwn(kinds, block.type) ? kinds[block.type] : undefined;
  if (!translate) return [];
  const parts = translate(block, at, reading);
  return withCache(parts, block, reading);
}

/** The parts, of which the last ends what is worth keeping if the block does. */
export function withCache(parts: Part[], { cache_control }: Fields, { keepsCache }: Reading): Part[] {
  const last = parts.at(-1);
  if (!keepsCache || !last || (cache_control ?? null) === null) return parts;
  return [...parts.slice(0, -1), { ...last, cache_control }];
}

/** Few servers take a list where a text would do. */
export function toContent(parts: readonly Part[]): string | readonly Part[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' && !('cache_control' in only)
    ? (only.text as string)
    : parts;
}

export const joinTexts = (parts: readonly Part[], between: string): string =>
  parts
    .filter(({ type }) => type === 'text')
    .map((part) => part.text)
    .join(between);

function sourceOf(block: Fields, at: string): Fields & { type: string } {
  const source = (block.source ?? {}) as Fields;
  const type = stringField(source, 'type', `${at}.source`);
  if (type === 'file')
    throw fieldIssue(`${at}.source`, 'is not known: no files are kept here, send the bytes');
  return { ...source, type };
}

const dataUrl = (source: Fields, at: string): string =>
  `data:${stringField(source, 'media_type', `${at}.source`)};base64,${stringField(source, 'data', `${at}.source`)}`;

function imageUrl(source: Fields & { type: string }, at: string): string {
  if (source.type === 'base64') return dataUrl(source, at);
  if (source.type === 'url') return stringField(source, 'url', `${at}.source`);
  throw fieldIssue(`${at}.source.type`, 'must be base64 or url');
}

function toDocument(block: Fields, at: string, reading: Reading): Part[] {
  const source = sourceOf(block, at);
  const title = typeof block.title === 'string' ? block.title : undefined;
  const context = typeof block.context === 'string' ? block.context : undefined;
  const head = text([title, context].filter((each) => each !== undefined).join('\n'));
  switch (source.type) {
    case 'base64':
      return [toFile(dataUrl(source, at), title)];
    case 'text':
      return text(
        [...head.map((part) => part.text), stringField(source, 'data', `${at}.source`)].join('\n\n'),
      );
    case 'content':
      return [...head, ...toParts(source.content, `${at}.source.content`, reading)];
    case 'url': {
      const url = stringField(source, 'url', `${at}.source`);
      if (reading.takesDocumentUrls) return [toFile(url, title)];
      throw fieldIssue(`${at}.source.url`, 'is not fetched: send its bytes');
    }
    default:
      throw fieldIssue(`${at}.source.type`, 'must be base64, text, content or url');
  }
}

const toFile = (file_data: string, title: string | undefined): Part => ({
  type: 'file',
  file: given({ filename: title ?? 'document.pdf', file_data }),
});
