import { foldName } from '@errand/models';
import { fieldIssue } from '@errand/platform';
import { readElements, readKeys, readValue } from './upstream-body.ts';

/** An image that a message names by its address. */
export interface NamedImage {
  url: string;
  /** The place of the image in the request, as a refusal names it. */
  param: string;
  /** The JSON of the address, as a part of the body's memory. */
  written: Buffer;
}

const addressFields: ReadonlySet<string> = new Set(['content', 'image_url', 'url']);

/** Fields whose text a model reads, and no server fetches. */
const proseFields: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking']);

const isDataUrl = (url: string): boolean => /^data:/i.test(url);
const looksLikeAddress = (text: string): boolean => /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|file:)/i.test(text);

/**
 * The images of a body's messages that are no data URLs, in their order. Refuses any other part that names an address,
 * such as `video_url`, and a field that occurs twice: no server may find an address where none was found here.
 */
export function findNamedImages(body: Buffer): NamedImage[] {
  return readElements(body, 'messages').flatMap((message, index) => {
    const at = `messages[${index}]`;
    const { content } = readFields(message, at);
    if (typeof content === 'string' || content === null || content === undefined) return [];
    if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
    return readElements(message, 'content').flatMap((part, place) =>
      readPart(part, `${at}.content[${place}]`),
    );
  });
}

function readPart(part: Buffer, at: string): NamedImage[] {
  const { image_url: image, ...others } = readFields(part, at);
  if (namesAddress(others)) throw fieldIssue(at, 'names an address, which this model does not take');
  const written = readValue(part, 'image_url');
  if (!written || image === null) return [];
  const param = `${at}.image_url`;
  if (typeof image === 'string') return isDataUrl(image) ? [] : [{ url: image, param, written }];
  const { url, ...details } = readFields(written, param);
  const address = readValue(written, 'url');
  if (typeof url !== 'string' || !address || namesAddress(details))
    throw fieldIssue(param, 'must be an object with one url');
  return isDataUrl(url) ? [] : [{ url, param, written: address }];
}

/** The fields of a JSON object; none if it is no object. */
function readFields(json: Buffer, at: string): Record<string, unknown> {
  const keys = readKeys(json);
  if (new Set(keys).size < keys.length) throw fieldIssue(at, 'has a field twice');
  for (const key of keys) {
    const folded = foldName(key);
    // A server that ignores the case of letters would find an address there.
    if (folded !== key && addressFields.has(folded))
      throw fieldIssue(`${at}.${key}`, `must be written ${folded}`);
  }
  return keys.length === 0 ? {} : (JSON.parse(json.toString('utf8')) as Record<string, unknown>);
}

function namesAddress(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeAddress(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([field, inner]) => !proseFields.has(field) && namesAddress(inner));
}
