import { Readable } from 'node:stream';
import { randomText } from '@errand/platform';

export interface FilePart {
  filename: string;
  contentType: string;
  body: Readable;
  /** The file's size. If it is known, the form is sent with a length. */
  bytes?: number;
}

/** A form with one file. The file is read while the form is sent, and never held in memory. */
export function multipartForm(
  fields: readonly (readonly [name: string, value: string])[],
  file: FilePart,
): { headers: Record<string, string | number>; body: Readable } {
  const boundary = `----errand${randomText(24)}`;
  const head = Buffer.from(
    [
      ...fields.map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
      ),
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted(file.filename)}"\r\n`,
      `Content-Type: ${file.contentType.replace(/[^\x20-\x7e]/g, '')}\r\n\r\n`,
    ].join(''),
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      ...(file.bytes !== undefined && { 'content-length': head.length + file.bytes + tail.length }),
    },
    body: Readable.from(inOrder(head, file.body, tail), { objectMode: false }),
  };
}

async function* inOrder(head: Buffer, body: Readable, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* body as AsyncIterable<Buffer>;
  yield tail;
}

/** Escapes a file's name as browsers do (WHATWG HTML, multipart/form-data). */
const quoted = (name: string): string => name.replace(/\r?\n|\r/g, ' ').replaceAll('"', '%22');
