import { foldName } from '@errand/models';
import { fieldIssue } from '@errand/platform';
import { readElements, readKeys, readValue, repeatsField } from './upstream-body.ts';

/** An image that a message names by its address. */
export interface NamedImage {
  url: string;
  /** The place of the image in the request, as a refusal names it. */
  param: string;
  /** The JSON of the address, as a part of the body's memory. */
  written: Buffer;
}

/** Fields of a request in which servers find files beside the content. */
export const fileFields: ReadonlySet<string> = new Set([
  ...['image', 'images', 'image_url', 'image_data', 'video', 'videos', 'video_url', 'video_data'],
  ...['audios', 'audio_url', 'audio_data', 'document', 'documents', 'file', 'files', 'multi_modal_data'],
]);

/**
 * The images of a body's messages that are no data URLs, in their order. Refuses every other field and part in which a
 * server could find an address, and a field that occurs twice: no server may find one where none was found here.
 */
export function findNamedImages(body: Buffer): NamedImage[] {
  checkNames(readKeys(body), '');
  checkTools(readValue(body, 'tools'));
  checkNames(readKeys(readValue(body, 'extra_body') ?? Buffer.alloc(0)), 'extra_body.');
  return readElements(body, 'messages').flatMap((written, index) => {
    const at = `messages[${index}]`;
    const message = JSON.parse(written.toString('utf8')) as Record<string, unknown>;
    if (repeatsField(written, message)) throw fieldIssue(at, 'has a field twice');
    checkNames(Object.keys(message), `${at}.`);
    checkSpelling(message, at);
    checkOthers(message, messageFields, at);
    const { content } = message;
    if (typeof content === 'string' || content === null || content === undefined) return [];
    if (!Array.isArray(content)) throw fieldIssue(`${at}.content`, 'must be a string or a list of parts');
    const urls = content.map((part: unknown, place) => readPart(part, `${at}.content[${place}]`));
    return urls.some((url) => url !== undefined) ? locateImages(written, urls, at) : [];
  });
}

/**
 * Fields of messages that servers of models know. `reasoning_details`, `thinking_blocks` and what stands in a call of a tool are
 * an upstream's own, which wants them back as they were.
 */
const messageFields: readonly string[] = [
  ...['role', 'content', 'name', 'refusal', 'phase', 'tool_calls', 'tool_call_id', 'function_call', 'audio'],
  ...['reasoning', 'reasoning_content', 'reasoning_details', 'thinking', 'thinking_blocks', 'annotations'],
];

const toolFields: readonly string[] = ['type', 'function', 'custom'];
const calledFields: readonly string[] = ['name', 'description', 'parameters', 'strict', 'format'];

/** The tools of a request may have texts in known fields alone. */
function checkTools(written: Buffer | undefined): void {
  const tools: unknown = written && JSON.parse(written.toString('utf8'));
  if (!written || !Array.isArray(tools)) return;
  if (repeatsField(written, tools)) throw fieldIssue('tools', 'has a field twice');
  for (const [index, tool] of tools.entries()) {
    if (typeof tool !== 'object' || tool === null) continue;
    const at = `tools[${index}]`;
    checkOthers(tool as Fields, toolFields, at);
    for (const name of ['function', 'custom']) {
      const called: unknown = (tool as Fields)[name];
      if (typeof called === 'object' && called !== null)
        checkOthers(called as Fields, calledFields, `${at}.${name}`);
    }
  }
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

type Fields = Record<string, unknown>;

/** Fields with short texts that no server takes for an address. */
const plainFields: ReadonlySet<string> = new Set([
  ...['cache_control', 'signature', 'detail', 'format', 'filename'],
]);

/** A part has its content under the name of its type. */
const contentChecks: Readonly<Record<string, (content: unknown, at: string) => void>> = {
  text: checkText,
  refusal: checkText,
  thinking: checkThinking,
  image_url: checkImage,
  input_audio: (content, at) => checkInline(content, 'data', at),
  file: (content, at) => checkInline(content, 'file_data', at),
};
const partTypes = Object.keys(contentChecks);

const dataUrl = /^data:/i;
const base64 = /^[a-z0-9+/]+={0,2}$/i;
/** A path of a file could be base64 too, but no path is longer (`PATH_MAX` of Linux). */
const longestPathCharacters = 4_096;

/**
 * The address of the image that a part of a message names, if it names one. Parts are known or refused: servers find
 * addresses, and files of their own, in fields of many names, and read some by their names whatever the part's type.
 */
function readPart(part: unknown, at: string): string | undefined {
  // A string is text.
  if (typeof part !== 'object' || part === null) return undefined;
  const { type } = part as Fields;
  const check = typeof type === 'string' && Object.hasOwn(contentChecks, type) && contentChecks[type];
  if (!check) throw fieldIssue(`${at}.type`, `must be one of ${partTypes.join(', ')} for this model`);
  const content = (part as Fields)[type as string];
  check(content, `${at}.${type}`);
  checkOthers(part as Fields, ['type', type as string], at);
  return type === 'image_url' ? readAddress(content) : undefined;
}

function readAddress(image: unknown): string | undefined {
  const url = typeof image === 'string' ? image : (image as { url: string } | null | undefined)?.url;
  return url === undefined || dataUrl.test(url) ? undefined : url;
}

function checkText(text: unknown, at: string): void {
  if (typeof text !== 'string') throw fieldIssue(at, 'must be a string');
}

function checkThinking(thinking: unknown, at: string): void {
  if (typeof thinking === 'string') return;
  if (!Array.isArray(thinking)) throw fieldIssue(at, 'must be a string or a list of texts');
  for (const [index, text] of thinking.entries()) {
    if ((text as Fields | null)?.type !== 'text') throw fieldIssue(`${at}[${index}]`, 'must be a text');
    readPart(text, `${at}[${index}]`);
  }
}

function checkImage(image: unknown, at: string): void {
  if (typeof image === 'string' || image === null || image === undefined) return;
  if (typeof (image as Fields).url !== 'string') throw fieldIssue(at, 'must be an object with one url');
  checkOthers(image as Fields, ['url'], at);
}

function checkInline(content: unknown, name: string, at: string): void {
  const data = (content as Fields | null | undefined)?.[name];
  if (typeof data !== 'string' || !isInline(data))
    throw fieldIssue(`${at}.${name}`, 'must be base64 or a data URL for this model');
  checkOthers(content as Fields, [name], at);
}

const isInline = (data: string): boolean =>
  dataUrl.test(data) || (base64.test(data) && (data[0] !== '/' || data.length > longestPathCharacters));

function checkOthers(fields: Fields, known: readonly string[], at: string): void {
  for (const [name, value] of Object.entries(fields))
    if (!known.includes(name) && !plainFields.has(name) && hasText(value))
      throw fieldIssue(`${at}.${name}`, 'is not accepted by this model');
}

function hasText(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasText);
}
