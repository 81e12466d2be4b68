import { foldName } from '@errand/models';
import { fieldIssue } from '@errand/platform';
import { readElements, readValue, repeatsField } from './upstream-body.ts';

/** An image that a message names by its address. */
export interface NamedImage {
  url: string;
  /** The place of the image in the request, as a refusal names it. */
  param: string;
  /** The JSON of the address, as a part of the body's memory. */
  written: Buffer;
}

type Fields = Record<string, unknown>;

/** Fields whose text a model reads, and no server fetches. */
const proseFields: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking']);
const addressFields: ReadonlySet<string> = new Set(['content', 'image_url', 'url']);

const isDataUrl = (url: string): boolean => /^data:/i.test(url);
const looksLikeAddress = (text: string): boolean => /^\s*(?:[a-z][a-z0-9+.-]*:\/\/|file:)/i.test(text);

/**
 * The images of a body's messages that are no data URLs, in their order. Refuses any other part that names an address,
 * such as `video_url`, and a field that occurs twice: no server may find an address where none was found here.
 */
export function findNamedImages(body: Buffer): NamedImage[] {
  return readElements(body, 'messages').flatMap((written, index) => {
    const at = `messages[${index}]`;
    const message = JSON.parse(written.toString('utf8')) as Fields;
    if (repeatsField(written, message)) throw fieldIssue(at, 'has a field twice');
    checkSpelling(message, at);
    const { content } = message;
    if (typeof content === 'string' || content === null || content === undefined) return [];
    if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
    return readElements(written, 'content').flatMap((part, place) =>
      readPart(part, content[place], `${at}.content[${place}]`),
    );
  });
}

function readPart(written: Buffer, part: unknown, at: string): NamedImage[] {
  // A string is text.
  if (typeof part !== 'object' || part === null) return [];
  checkSpelling(part as Fields, at);
  const { image_url: image, ...others } = part as Fields;
  if (namesAddress(others)) throw fieldIssue(at, 'names an address, which this model does not take');
  const json = readValue(written, 'image_url');
  return json && image !== null ? readImage(json, image, `${at}.image_url`) : [];
}

function readImage(written: Buffer, image: unknown, param: string): NamedImage[] {
  if (typeof image === 'string') return isDataUrl(image) ? [] : [{ url: image, param, written }];
  const { url, ...details } = image as Fields;
  const address = readValue(written, 'url');
  if (typeof url !== 'string' || !address || namesAddress(details))
    throw fieldIssue(param, 'must be an object with one url');
  checkSpelling(details, param);
  return isDataUrl(url) ? [] : [{ url, param, written: address }];
}

/** A server that ignores the case of letters would find an address under another spelling. */
function checkSpelling(fields: Fields, at: string): void {
  for (const name of Object.keys(fields)) {
    const folded = foldName(name);
    if (folded !== name && addressFields.has(folded))
      throw fieldIssue(`${at}.${name}`, `must be written ${folded}`);
  }
}

function namesAddress(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeAddress(value);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(namesAddress);
  return Object.entries(value).some(([field, inner]) => !proseFields.has(field) && namesAddress(inner));
}
