import { isObject, ownProperty } from '../../json-object.ts';
import type { Part } from '../../request.ts';
import type { Reader } from './reader.ts';

export type PartType = keyof typeof readers;

type ReadPart = (part: object, at: string, reader: Reader) => Part | undefined;

/** Reads a part by its type. Each part has its content in one field. */
const readers = {
  input_text: readText('text'),
  output_text: readText('text'),
  refusal: readText('refusal'),
  input_json: readData,
  input_image: readImage,
} satisfies Record<string, ReadPart>;

function readText(field: string): ReadPart {
  return (part, at, { report }) => {
    const text = ownProperty(part, field);
    return typeof text === 'string' ? { type: 'text', text } : report(`${at}.${field}`, 'must be a string');
  };
}

function readData(part: object, at: string, { ordered, report }: Reader): Part | undefined {
  const data = ownProperty(part, 'data');
  const isRead = isObject(data) || (Array.isArray(data) && data.every(isObject));
  const value = isRead ? ordered(`${at}.data`) : undefined;
  if (value instanceof Map || Array.isArray(value)) return { type: 'json', value };
  return report(`${at}.data`, 'must be an object or a list of objects');
}

const details: readonly unknown[] = ['low', 'high', 'auto', 'original'];

function readImage(part: object, at: string, { report }: Reader): Part | undefined {
  const url = ownProperty(part, 'image_url');
  const detail = ownProperty(part, 'detail') ?? null;
  if (typeof url !== 'string' || !/^(?:https?:\/\/|data:image\/)/i.test(url))
    return report(`${at}.image_url`, 'must be an http(s) address or a data URL of an image');
  if (detail !== null && !details.includes(detail))
    return report(`${at}.detail`, `must be ${details.join(', ')}`);
  return { type: 'image', url, ...(typeof detail === 'string' && { detail }) };
}

/** Reads content: a text, or a list of parts of the allowed types. */
export function readParts(
  value: unknown,
  { at, allowed }: { at: string; allowed: readonly PartType[] },
  reader: Reader,
): Part[] {
  const { report } = reader;
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value) || value.length === 0)
    return report(at, 'must be a string or a list of parts') ?? [];
  return value.flatMap((part, index) => {
    const place = `${at}[${index}]`;
    if (!isObject(part)) return report(place, 'must be an object') ?? [];
    const type = allowed.find((known) => known === ownProperty(part, 'type'));
    if (!type) return report(`${place}.type`, `must be ${allowed.join(', ')}`) ?? [];
    return readers[type](part, place, reader) ?? [];
  });
}
