import type { Rule } from '../sent.ts';
import { type Attributes, operationsOf, type Value } from './operations.ts';

const mostBytes = 409_600;

/**
 * Items of more than 400 KB. What an update makes of an item is not known here: its values are looked at one by one.
 */
export const itemSizeProblems: Rule = (sent) =>
  operationsOf(sent).flatMap(({ Item, ExpressionAttributeValues = {} }) => {
    const itemBytes = Item ? attributesBytes(Item) : 0;
    const values = Object.entries(ExpressionAttributeValues).map(
      ([name, value]) => [name, valueBytes(value)] as const,
    );
    return [
      ...(itemBytes > mostBytes ? [`item size: ${itemBytes} bytes, more than ${mostBytes}`] : []),
      ...values
        .filter(([, bytes]) => bytes > mostBytes)
        .map(([name, bytes]) => `item size: ${name} has ${bytes} bytes, more than ${mostBytes}`),
    ];
  });

/** The bytes of an item as AWS counts them: names, values, and what maps and lists add. */
export function attributesBytes(attributes: Attributes): number {
  let bytes = 0;
  for (const name in attributes) bytes += Buffer.byteLength(name) + valueBytes(attributes[name] as Value);
  return bytes;
}

function valueBytes(value: Value): number {
  const { S, N, B, M, L, SS, NS, BS } = value as {
    S?: string;
    N?: string;
    B?: Uint8Array;
    M?: Attributes;
    L?: Value[];
    SS?: string[];
    NS?: string[];
    BS?: Uint8Array[];
  };
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return numberBytes(N);
  if (B) return B.byteLength;
  if (M) return 3 + Object.keys(M).length + attributesBytes(M);
  if (L) return L.reduce((bytes, each) => bytes + 1 + valueBytes(each), 3);
  if (SS) return sum(SS, (member) => Buffer.byteLength(member));
  if (NS) return sum(NS, numberBytes);
  if (BS) return sum(BS, (member) => member.byteLength);
  return 1;
}

const sum = <T>(members: T[], bytesOf: (member: T) => number): number =>
  members.reduce((bytes, member) => bytes + bytesOf(member), 0);

/** One byte for two digits and one more; zeros at both ends do not count. */
function numberBytes(text: string): number {
  const digits = text
    .replace(/[eE].*$/, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + 1 + (text.startsWith('-') ? 1 : 0);
}
