import type { OrderedJson, OrderedObject } from '@errand/platform';
import type { Part } from '../../request.ts';
import type { Report } from '../report.ts';

export type PartType = keyof typeof readers;

/** Reads a part by its type. Each part has its content in one field. */
const readers = {
  input_text: readText('text'),
  output_text: readText('text'),
  refusal: readText('refusal'),
  input_json: (part: OrderedObject, at: string, report: Report): Part | undefined => {
    const data = part.get('data');
    const isRead =
      data instanceof Map || (Array.isArray(data) && data.every((entry) => entry instanceof Map));
    return isRead
      ? { type: 'json', value: data }
      : report(`${at}.data`, 'must be an object or a list of objects');
  },
  input_image: readImage,
};

function readText(field: string) {
  return (part: OrderedObject, at: string, report: Report): Part | undefined => {
    const text = part.get(field);
    return typeof text === 'string' ? { type: 'text', text } : report(`${at}.${field}`, 'must be a string');
  };
}

const details: readonly OrderedJson[] = ['low', 'high', 'auto', 'original'];

function readImage(part: OrderedObject, at: string, report: Report): Part | undefined {
  const url = part.get('image_url');
  const detail = part.get('detail') ?? null;
  if (typeof url !== 'string' || !/^(?:https?:\/\/|data:image\/)/i.test(url))
    return report(`${at}.image_url`, 'must be an http(s) address or a data URL of an image');
  if (detail !== null && !details.includes(detail))
    return report(`${at}.detail`, `must be ${details.join(', ')}`);
  return { type: 'image', url, ...(typeof detail === 'string' && { detail }) };
}

/** Reads content: a text, or a list of parts of the allowed types. */
export function readParts(
  value: OrderedJson | undefined,
  { at, allowed }: { at: string; allowed: readonly PartType[] },
  report: Report,
): Part[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value) || value.length === 0) {
    report(at, 'must be a string or a list of parts');
    return [];
  }
  return value.flatMap((part, index) => {
    const place = `${at}[${index}]`;
    if (!(part instanceof Map)) return report(place, 'must be an object') ?? [];
    const type = allowed.find((known) => known === part.get('type'));
    if (!type) return report(`${place}.type`, `must be ${allowed.join(', ')}`) ?? [];
    return readers[type](part, place, report) ?? [];
  });
}
