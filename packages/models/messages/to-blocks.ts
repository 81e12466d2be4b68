import { fieldIssue, isFields } from '@errand/platform';
import type { Fields } from '../chat-messages.ts';
import { textIn } from './fields.ts';

/** The blocks of a user's content, or of a tool's result. Throws `invalid_request` for parts that a message cannot have. */
export function toBlocks(content: unknown, place: string): Fields[] {
  if (!Array.isArray(content)) return textBlock({ text: content });
  return (content as unknown[]).flatMap((part, i) => toBlock(part, `${place}.content[${i}]`));
}

/** The texts of a content, each as a block. Parts that a model wrote beside its text are left out. */
export function textBlocks(content: unknown, place: string): Fields[] {
  if (!Array.isArray(content)) return textBlock({ text: content });
  return (content as unknown[]).flatMap((part, i) => {
    if (!isFields(part)) throw fieldIssue(`${place}.content[${i}]`, 'must be an object with a type');
    return textBlock({ ...part, text: part.text ?? part.refusal });
  });
}

/** None for a text without a letter, which the protocol refuses. */
function textBlock({ text, cache_control }: Fields): Fields[] {
  if (textIn(text).trim() === '') return [];
  return [marked({ type: 'text', text }, cache_control)];
}

const marked = (block: Fields, mark: unknown): Fields =>
  (mark ?? null) === null ? block : { ...block, cache_control: mark };

function toBlock(part: unknown, place: string): Fields[] {
  const { type, cache_control, ...fields } = isFields(part) ? part : {};
  if (type === 'text') return textBlock({ ...fields, cache_control });
  if (type === 'image_url')
    return [marked({ type: 'image', source: imageSource(fields.image_url, place) }, cache_control)];
  if (type === 'file') return [marked(toDocument(fields.file, place), cache_control)];
  throw fieldIssue(place, 'must be a text, an image or a file: this model reads no other parts');
}

const dataUrl = /^data:([^;,]+)(?:;[^;,]*)*;base64,/i;

/** The bytes of a data URL, with their type. Undefined for any other text. */
function readDataUrl(text: string): { media_type: string; data: string } | undefined {
  // Only the beginning is looked at: the bytes may be megabytes.
  const found = dataUrl.exec(text.slice(0, longestHead));
  return found ? { media_type: found[1]!.toLowerCase(), data: text.slice(found[0].length) } : undefined;
}

const longestHead = 512;

function imageSource(image: unknown, place: string): Fields {
  const url = textIn(isFields(image) ? image.url : image);
  const bytes = readDataUrl(url);
  if (bytes) return { type: 'base64', ...bytes };
  if (/^https?:/i.test(url)) return { type: 'url', url };
  throw fieldIssue(`${place}.image_url`, 'must be an http(s) URL or a data URL with base64');
}

/** Base64 of `%PDF-`. */
const pdfBeginning = 'JVBERi0';

function toDocument(file: unknown, place: string): Fields {
  const { file_data, filename } = isFields(file) ? file : {};
  const text = textIn(file_data);
  const { media_type, data } = readDataUrl(text) ?? {
    media_type: text.startsWith(pdfBeginning) ? 'application/pdf' : '',
    data: text,
  };
  const title = textIn(filename) || undefined;
  if (media_type === 'application/pdf')
    return { type: 'document', source: { type: 'base64', media_type, data }, title };
  if (media_type !== 'text/plain')
    throw fieldIssue(`${place}.file`, 'must have the bytes of a PDF or of a plain text as file_data');
  const content = Buffer.from(data, 'base64').toString('utf8');
  return { type: 'document', source: { type: 'text', media_type, data: content }, title };
}
