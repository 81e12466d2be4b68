import { fieldIssue } from '@errand/platform';

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
export function readPart(part: unknown, at: string): string | undefined {
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
