import { fieldIssue, stringField } from '@errand/platform';
import type { Item } from '../request/schema.ts';

/** The one file of a run: an address, an upload, or its bytes. */
export interface Attached {
  fields: { documentUrl?: string; uploadId?: string };
  file?: { filename: string; bytes: Buffer; field: string };
}

/** The file that a part of a message has; undefined for any other part. Throws `invalid_request`. */
export function readAttached(part: Item | null, at: string): Attached | undefined {
  if (part?.type !== 'input_file' && part?.type !== 'input_image') return undefined;
  if (isGiven(part.file_id)) return { fields: { uploadId: stringField(part, 'file_id', at) } };
  if (part.type === 'input_image') return readImage(stringField(part, 'image_url', at), `${at}.image_url`);
  if (isGiven(part.file_url)) return { fields: { documentUrl: stringField(part, 'file_url', at) } };
  const field = `${at}.file_data`;
  const filename = stringField(part, 'filename', at);
  return {
    fields: {},
    file: { filename, bytes: readBytes(stringField(part, 'file_data', at), field), field },
  };
}

const isGiven = (value: unknown): boolean => (value ?? null) !== null;

/** The name of an image that has none goes by its media type. */
function readImage(url: string, field: string): Attached {
  const type = /^data:image\/([\w.+-]{1,40})[;,]/i.exec(url)?.[1];
  if (type === undefined) return { fields: { documentUrl: url } };
  return {
    fields: {},
    file: { filename: `image.${type.toLowerCase()}`, bytes: readBytes(url, field), field },
  };
}

/** The bytes of base64, or of a data URL that has some. */
function readBytes(text: string, field: string): Buffer {
  const start = /^data:[^,]{0,200},/i.exec(text)?.[0] ?? '';
  if (start !== '' && !/;base64,$/i.test(start)) throw fieldIssue(field, 'must be base64');
  const base64 = text.slice(start.length);
  // One pattern for both would try the end anew at every space.
  const end = base64.search(/[^\w+/\s-]/);
  if (end >= 0 && !/^={1,2}\s*$/.test(base64.slice(end))) throw fieldIssue(field, 'must be base64');
  return Buffer.from(base64, 'base64');
}
