import { Readable } from 'node:stream';
import { randomText } from '@errand/platform';

export interface FilePart {
  filename: string;
  contentType: string;
  body: Readable;
  /** Gives the whole form a length where it is known. */
  bytes?: number;
}

/** A form with one file that is read as it is sent: nothing of it is held. */
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

/** As browsers write a file's name into the header (WHATWG HTML, multipart/form-data). */
const quoted = (name: string): string => name.replace(/\r?\n|\r/g, ' ').replaceAll('"', '%22');
