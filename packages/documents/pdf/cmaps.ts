import { TextDecoder } from 'node:util';

/** Well-known encodings by the names of Adobe's predefined CMaps for Chinese, Japanese and Korean. */
const encodings: readonly [RegExp, string][] = [
  [/^Uni.*-(UCS2|UTF16)/, 'utf-16be'],
  [/RKSJ/, 'shift_jis'],
  [/^(GB|GBK|GBKp|GBpc|GBK2K)-/, 'gb18030'],
  [/B5/, 'big5'],
  [/^KSC/, 'euc-kr'],
  [/^EUC-/, 'euc-jp'],
];

const collection = /^Adobe-\w+-UCS2$/;
const firstTrail = 0x30;
const lastByte = 0xfe;

/**
 * Makes the CMaps that PDF.js asks for, instead of shipping Adobe's. The CMap of an encoding gives each code its
 * Unicode code point as CID, and the collection's `UCS2` CMap returns each CID unchanged. A font with Adobe's own CIDs
 * and none of the encodings above cannot be read. The factory is a class because PDF.js makes one for each document.
 */
export function createCMapFactory() {
  return class {
    hasCodes = false;
    fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
      const encoding = encodings.find(([name]) => name.test(filename))?.[1];
      if (kind !== 'cMapUrl' || !(encoding || (collection.test(filename) && this.hasCodes)))
        throw new Error(`no data for ${filename}`);
      this.hasCodes ||= encoding !== undefined;
      return Buffer.from(encoding ? codeMap(encoding) : characterMap, 'latin1');
    };
  };
}

const twoBytes = '1 begincodespacerange <0000> <ffff> endcodespacerange\n';
const characterMap = `${twoBytes}1 beginbfrange <0000> <ffff> <0000> endbfrange`;

function codeMap(encoding: string): string {
  if (encoding === 'utf-16be') return `${twoBytes}1 begincidrange <0000> <ffff> 0 endcidrange`;
  const spaces: string[] = [];
  const codes: string[] = [];
  for (let lead = 0; lead <= lastByte; lead++) {
    const alone = decode(encoding, [lead]);
    const trails = alone === undefined ? codesAfter(encoding, lead) : [];
    if (alone !== undefined) {
      spaces.push(`<${hex(lead)}> <${hex(lead)}>`);
      codes.push(`<${hex(lead)}> ${alone}`);
    } else if (trails.length > 0) {
      spaces.push(`<${hex(lead)}${hex(firstTrail)}> <${hex(lead)}${hex(lastByte)}>`);
      codes.push(...trails);
    }
  }
  return (
    `${spaces.length} begincodespacerange ${spaces.join(' ')} endcodespacerange\n` +
    `${codes.length} begincidchar ${codes.join('\n')} endcidchar`
  );
}

function codesAfter(encoding: string, lead: number): string[] {
  const codes: string[] = [];
  for (let trail = firstTrail; trail <= lastByte; trail++) {
    const character = decode(encoding, [lead, trail]);
    if (character !== undefined) codes.push(`<${hex(lead)}${hex(trail)}> ${character}`);
  }
  return codes;
}

const decoders = new Map<string, TextDecoder>();

/** The code point of the character that these bytes encode; undefined unless they are one character below 65,536. */
function decode(encoding: string, bytes: readonly number[]): number | undefined {
  const decoder = decoders.get(encoding) ?? new TextDecoder(encoding, { fatal: true });
  decoders.set(encoding, decoder);
  try {
    const text = decoder.decode(Uint8Array.from(bytes));
    return text.length === 1 ? text.charCodeAt(0) : undefined;
  } catch {
    return undefined;
  }
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');
