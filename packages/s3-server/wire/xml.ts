import { S3Error } from './errors.ts';

interface XmlElement {
  name: string;
  text: string;
  children: XmlElement[];
}

const tokens =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)|</g;

/**
 * Reads elements and text, and ignores attributes: S3's requests need no more. Throws MalformedXML, also for a DOCTYPE.
 */
export function readXml(source: string): XmlElement {
  const top: XmlElement = { name: '', text: '', children: [] };
  const open = [top];
  for (const [token, closing, name, , selfClosing, text] of source.replace(/^\uFEFF/, '').matchAll(tokens)) {
    const current = open.at(-1)!;
    if (text !== undefined) current.text += decodeEntities(text);
    else if (closing) {
      if (open.length === 1 || current.name !== name) throw new S3Error('MalformedXML');
      open.pop();
    } else if (name !== undefined) {
      const element: XmlElement = { name, text: '', children: [] };
      current.children.push(element);
      if (!selfClosing) open.push(element);
    } else if (token === '<') throw new S3Error('MalformedXML');
  }
  const [root] = top.children;
  if (open.length !== 1 || !root || top.children.length !== 1) throw new S3Error('MalformedXML');
  return root;
}

export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => child.name === name);
}

export function childText(element: XmlElement, name: string): string | undefined {
  return childrenOf(element, name)[0]?.text;
}

const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(\w+));/g, (_, hexadecimal, decimal, name) => {
    if (name !== undefined) {
      const character = namedEntities[name];
      if (character === undefined) throw new S3Error('MalformedXML');
      return character;
    }
    const codePoint = hexadecimal ? Number.parseInt(hexadecimal, 16) : Number.parseInt(decimal, 10);
    if (codePoint > 0x10ffff) throw new S3Error('MalformedXML');
    return String.fromCodePoint(codePoint);
  });
}

export type XmlValue =
  | string
  | number
  | boolean
  | undefined
  | readonly XmlValue[]
  | { readonly [name: string]: XmlValue };

/** Writes a value as an element. An array repeats the element, `undefined` leaves it out. */
export function writeXml(name: string, value: XmlValue): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(name, value, ' xmlns="http://s3.amazonaws.com/doc/2006-03-01/"')}`;
}

function element(name: string, value: XmlValue, attributes = ''): string {
  if (value === undefined) return '';
  if (Array.isArray(value)) return value.map((item) => element(name, item)).join('');
  if (typeof value === 'object') {
    const inside = Object.entries(value).map(([childName, child]) => element(childName, child));
    return `<${name}${attributes}>${inside.join('')}</${name}>`;
  }
  return `<${name}${attributes}>${escapeText(String(value))}</${name}>`;
}

/** Control characters of keys become references. A raw carriage return would be read as a line feed. */
function escapeText(text: string): string {
  return text.replace(/[&<>"\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, (character) => {
    return `&#x${character.charCodeAt(0).toString(16).toUpperCase()};`;
  });
}
