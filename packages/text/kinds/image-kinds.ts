import { type KindFacts, startsWith } from './kind-facts.ts';

/** The images that vision models take. What the service accepts, detects and says of images is made from these rows. */
export const imageKinds = {
  png: {
    name: 'PNG',
    words: 'a PNG image',
    mediaType: 'image/png',
    extensions: ['.png'],
    signatures: [startsWith('\x89PNG\r\n')],
  },
  jpeg: {
    name: 'JPEG',
    words: 'a JPEG image',
    mediaType: 'image/jpeg',
    extensions: ['.jpg', '.jpeg'],
    signatures: [startsWith('\xff\xd8\xff')],
  },
  webp: {
    name: 'WebP',
    words: 'a WebP image',
    mediaType: 'image/webp',
    extensions: ['.webp'],
    signatures: [
      [
        { offset: 0, bytes: 'RIFF' },
        { offset: 8, bytes: 'WEBP' },
      ],
    ],
  },
  gif: {
    name: 'GIF',
    words: 'a GIF image',
    mediaType: 'image/gif',
    extensions: ['.gif'],
    signatures: [startsWith('GIF8')],
  },
} as const satisfies Record<
  string,
  KindFacts & { name: string; mediaType: string; extensions: readonly string[] }
>;

export type ImageKind = keyof typeof imageKinds;

export const isImageKind = (kind: string): kind is ImageKind => Object.hasOwn(imageKinds, kind);

const rows = Object.entries(imageKinds) as [ImageKind, (typeof imageKinds)[ImageKind]][];

/** Image kinds by extension, with the dot. */
export const imageKindsByExtension: Readonly<Record<string, ImageKind>> = Object.fromEntries(
  rows.flatMap(([kind, { extensions }]) => extensions.map((extension) => [extension, kind])),
);

/** `PNG, JPEG, WebP or GIF` */
export const imageNames = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
  rows.map(([, { name }]) => name),
);
