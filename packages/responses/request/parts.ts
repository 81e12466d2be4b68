import { fieldIssue, given, stringField } from '@errand/platform';
import type { Item } from './schema.ts';

/** A part of a chat message. */
type Part = Record<string, unknown>;

type Translate = (part: Item, at: string) => Part;

const textOf =
  (field: string): Translate =>
  (part, at) => ({ type: 'text', text: stringField(part, field, at) });

const kinds: Readonly<Record<string, Translate>> = {
  input_text: textOf('text'),
  output_text: textOf('text'),
  text: textOf('text'),
  refusal: textOf('refusal'),
  reasoning_text: textOf('text'),
  summary_text: textOf('text'),
  input_image: (part, at) => {
    refuseStored(part, at);
    const { detail } = part;
    return {
      type: 'image_url',
      image_url: { url: stringField(part, 'image_url', at), ...given({ detail }) },
    };
  },
  input_file: (part, at) => {
    refuseStored(part, at);
    if ((part.file_url ?? null) !== null)
      throw fieldIssue(`${at}.file_url`, 'is not fetched: send the file as file_data');
    const { filename } = part;
    return { type: 'file', file: { ...given({ filename }), file_data: stringField(part, 'file_data', at) } };
  },
  input_audio: ({ input_audio }) => ({ type: 'input_audio', input_audio }),
};

/** The parts of an item's content as those of a chat message. Throws `invalid_request` with the place of one that is not known. */
function toParts(content: unknown, at: string): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (!Array.isArray(content)) throw fieldIssue(at, 'must be a string or a list of parts');
  return content.map((part: Item | null, index) => {
    const place = `${at}[${index}]`;
    const type = part?.type;
    const translate = typeof type === 'string' && Object.hasOwn(kinds, type) ? kinds[type] : undefined;
    if (!part || !translate)
      throw fieldIssue(`${place}.type`, `must be one of ${Object.keys(kinds).join(', ')}`);
    return translate(part, place);
  });
}

/** Few servers take a list where a text would do. */
export const toContent = (content: unknown, at: string): string | Part[] => {
  const parts = toParts(content, at);
  const [only] = parts;
  return parts.length === 1 && only?.type === 'text' ? (only.text as string) : parts;
};

/** All text of a content, whose parts must have nothing else. */
export function toText(content: unknown, at: string, between = ''): string {
  const parts = toParts(content, at);
  const other = parts.findIndex(({ type }) => type !== 'text');
  if (other >= 0) throw fieldIssue(`${at}[${other}].type`, 'must be a text here');
  return parts.map(({ text }) => text).join(between);
}

function refuseStored(part: Item, at: string): void {
  if ((part.file_id ?? null) !== null)
    throw fieldIssue(`${at}.file_id`, 'is not known: no files are kept here, send the bytes');
}
