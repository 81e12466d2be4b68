import { posix } from 'node:path';
import { type Attributes, readXml } from '../archive/read-xml.ts';
import type { ZipArchive } from '../archive/zip-archive.ts';

export interface Relationship {
  /** The part's path in the package; empty for an external target. */
  part: string;
  /** The address of an external target, such as a link's. */
  address?: string;
  /** The last word of the relationship's type, such as `hyperlink`. */
  type: string;
}

/** The relationships of a part of an Office package, by id. An empty `part` means the package itself. */
export async function readRelationships(zip: ZipArchive, part: string): Promise<Map<string, Relationship>> {
  const folder = posix.dirname(part);
  const relationships = new Map<string, Relationship>();
  await readXml(zip.chunks(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), {
    open(name, attributes) {
      const { Id: id, Target: target, Type: type } = attributes;
      if (name !== 'Relationship' || !id || !target) return;
      const external = attributes.TargetMode === 'External';
      const path = target.startsWith('/') ? target.slice(1) : posix.join(folder, target);
      const lastWord = type?.split('/').at(-1) ?? '';
      relationships.set(
        id,
        external ? { part: '', address: target, type: lastWord } : { part: path, type: lastWord },
      );
    },
  });
  return relationships;
}

/** The id that an element refers to. It is nearly always in `r:id`, but programs may choose another prefix. */
export function relationshipId(attributes: Attributes): string {
  const name = Object.keys(attributes).find((one) => one.endsWith(':id'));
  return (name && attributes[name]) || '';
}
