import { foldName } from '@errand/models';
import { fieldIssue } from '@errand/platform';
import { readPart } from './message-parts.ts';
import { readElements, readKeys, readValue, repeatsField } from './upstream-body.ts';

/** An image that a message names by its address. */
export interface NamedImage {
  url: string;
  /** The place of the image in the request, as a refusal names it. */
  param: string;
  /** The JSON of the address, as a part of the body's memory. */
  written: Buffer;
}

/** Fields of a request and of a message in which servers find files beside the content. */
const fileFields: ReadonlySet<string> = new Set([
  ...['image', 'images', 'image_url', 'image_data', 'video', 'videos', 'video_url', 'video_data'],
  ...['audios', 'audio_url', 'audio_data', 'document', 'documents', 'file', 'files', 'multi_modal_data'],
]);

/**
 * The images of a body's messages that are no data URLs, in their order. Refuses every other field and part in which a
 * server could find an address, and a field that occurs twice: no server may find one where none was found here.
 */
export function findNamedImages(body: Buffer): NamedImage[] {
  checkNames(readKeys(body), '');
  checkNames(readKeys(readValue(body, 'extra_body') ?? Buffer.alloc(0)), 'extra_body.');
  return readElements(body, 'messages').flatMap((written, index) => {
    const at = `messages[${index}]`;
    const message = JSON.parse(written.toString('utf8')) as Record<string, unknown>;
    if (repeatsField(written, message)) throw fieldIssue(at, 'has a field twice');
    checkNames(Object.keys(message), `${at}.`);
    checkSpelling(message, at);
    const { content } = message;
    if (typeof content === 'string' || content === null || content === undefined) return [];
    if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
    const urls = content.map((part: unknown, place) => readPart(part, `${at}.content[${place}]`));
    return urls.some((url) => url !== undefined) ? locateImages(written, urls, at) : [];
  });
}

function checkNames(names: readonly string[], at: string): void {
  for (const name of names)
    if (fileFields.has(foldName(name))) throw fieldIssue(at + name, 'is not accepted by this model');
}

/** A server that ignores the case of letters would find an address under another spelling. */
function checkSpelling(message: object, at: string): void {
  for (const name of Object.keys(message))
    if (name !== 'content' && foldName(name) === 'content')
      throw fieldIssue(`${at}.${name}`, 'must be written content');
}

function locateImages(message: Buffer, urls: readonly (string | undefined)[], at: string): NamedImage[] {
  return readElements(message, 'content').flatMap((part, place) => {
    const url = urls[place];
    if (url === undefined) return [];
    const image = readValue(part, 'image_url')!;
    const param = `${at}.content[${place}].image_url`;
    return [{ url, param, written: readValue(image, 'url') ?? image }];
  });
}
