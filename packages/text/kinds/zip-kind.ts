import { type ContentKind, contentKinds } from './content-kinds.ts';

/** The main part of each format. A few programs give it another name, which `variant` matches. */
const officeMembers = [
  { kind: 'docx', member: 'word/document.xml', variant: /word[\\/]document\d*\.xml/i },
  { kind: 'pptx', member: 'ppt/presentation.xml', variant: /ppt[\\/]presentation\d*\.xml/i },
  { kind: 'xlsx', member: 'xl/workbook.xml', variant: /xl[\\/]workbook\d*\.xml/i },
] as const;

const packageKinds = ['odt', 'ods', 'odp', 'epub'] as const;

/** A zip file's list of members is in this many bytes at its end, unless it is very long. */
const memberListBytes = 64 * 1024;

const mimetypeBytes = 200;

/**
 * Names of members stand at both ends of a file: the first members at its beginning, the list of all at its end. A whole
 * file of 50 MB would hold the process for a quarter of a second.
 */
const searchedBytes = 2 * 1024 * 1024;

/** A zip file's kind by the names of its members. */
export function readZipKind(bytes: Buffer): ContentKind {
  // The first member of an OpenDocument or EPUB file is `mimetype`, which is not compressed.
  const head = bytes.subarray(0, mimetypeBytes).toString('latin1');
  const named = packageKinds.find((kind) => head.includes(`mimetype${contentKinds[kind].mediaType}`));
  const office = named ?? officeKind(bytes);
  if (office) return office;
  if (names(bytes, 'META-INF/container.xml')) return 'epub';
  return packageKinds.find((kind) => names(bytes, contentKinds[kind].mediaType)) ?? 'zip';
}

const names = (bytes: Buffer, text: string): boolean =>
  bytes.length <= 2 * searchedBytes
    ? bytes.includes(text, 0, 'latin1')
    : [bytes.subarray(0, searchedBytes), bytes.subarray(-searchedBytes)].some((part) =>
        part.includes(text, 0, 'latin1'),
      );

function officeKind(bytes: Buffer): ContentKind | undefined {
  const usual = officeMembers.find(({ member }) => names(bytes, member));
  if (usual) return usual.kind;
  const members = bytes.subarray(-memberListBytes).toString('latin1');
  return officeMembers.find(({ variant }) => variant.test(members))?.kind;
}
