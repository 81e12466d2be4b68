import type { Rule } from '../sent.ts';

const mostKeyBytes = 1_024;
const mostMetadataBytes = 2_048;
const mostObjectBytes = 5 * 1_024 ** 3;
const mostDeleted = 1_000;
/** Headers that a link or an object sets on answers. */
const headers = ['CacheControl', 'ContentDisposition', 'ContentEncoding', 'ContentLanguage', 'ContentType'];
const latin = /^[\x20-\xff]*$/;

/** Keys, metadata, headers and sizes of objects. */
export const objectProblems: Rule = ({ input }) => {
  const deleted: { Key?: string }[] | undefined = input.Delete?.Objects;
  return [
    ...[input, ...(deleted ?? [])].flatMap(({ Key }) => keyProblems(Key)),
    ...(deleted && (deleted.length === 0 || deleted.length > mostDeleted)
      ? [`deletions: ${deleted.length} keys, not 1 to ${mostDeleted}`]
      : []),
    ...metadataProblems(input.Metadata ?? {}),
    ...headers
      .flatMap((name) => [name, `Response${name}`])
      .filter((name) => input[name] !== undefined && !latin.test(input[name]))
      .map((name) => `headers: ${name} has characters outside of ISO 8859-1`),
    ...sizeProblems(input),
  ];
};

function keyProblems(key: string | undefined): string[] {
  if (key === undefined) return [];
  const bytes = Buffer.byteLength(key);
  if (bytes >= 1 && bytes <= mostKeyBytes) return [];
  return [`keys: ${bytes} bytes, not 1 to ${mostKeyBytes}`];
}

function metadataProblems(metadata: Record<string, string>): string[] {
  const entries = Object.entries(metadata);
  const bytes = entries.flat().reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  return [
    ...(bytes > mostMetadataBytes ? [`metadata: ${bytes} bytes, more than ${mostMetadataBytes}`] : []),
    ...entries
      .filter(([name, value]) => !(/^[\w.-]+$/.test(name) && /^[\x20-\x7e]*$/.test(value)))
      .map(([name]) => `metadata: ${name} is no header of ASCII`),
  ];
}

function sizeProblems({ Body, ContentLength }: { Body?: unknown; ContentLength?: number }): string[] {
  const isWhole = typeof Body === 'string' || Body instanceof Uint8Array;
  const bytes = ContentLength ?? (isWhole ? Buffer.byteLength(Body) : 0);
  return bytes > mostObjectBytes
    ? [`object size: ${bytes} bytes, more than ${mostObjectBytes} in one request`]
    : [];
}
