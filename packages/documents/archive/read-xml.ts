import { TextDecoder } from 'node:util';
import { Parser } from 'htmlparser2';
import { DocumentError } from '../document-error.ts';

const maximumDepth = 1_000;

export type Attributes = Readonly<Record<string, string>>;

/** Element names come without their prefix, attribute names with it. */
export interface XmlHandler {
  open?(name: string, attributes: Attributes): void;
  close?(name: string): void;
  text?(value: string): void;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

function decoderFor(first: Uint8Array): TextDecoder {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le');
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be');
  return new TextDecoder('utf-8');
}

/**
 * Streams an XML part to a handler. Document types are skipped and their entities never expand: the parser knows only
 * XML's own five entities and character references.
 */
export async function readXml(chunks: AsyncIterable<Uint8Array>, handler: XmlHandler): Promise<void> {
  let depth = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        depth++;
        if (depth > maximumDepth)
          throw new DocumentError('broken', 'The file is nested too deeply to be read.');
        handler.open?.(localName(name), attributes);
      },
      onclosetag(name) {
        depth--;
        handler.close?.(localName(name));
      },
      ontext: (value) => handler.text?.(value),
    },
    { xmlMode: true, decodeEntities: true },
  );
  let decoder: TextDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= decoderFor(chunk);
    parser.write(decoder.decode(chunk, { stream: true }));
  }
  parser.write(decoder?.decode() ?? '');
  parser.end();
}
