import { scopeName } from './owner.ts';

/** A named thing without its content. Each is stored twice: under its id, and under its owner and name. */
export interface Row {
  id: string;
  owner: string;
  name: string;
  description: string;
  enabled: boolean;
  /** The latest published version; null for one last written before versions existed. */
  version: number | null;
  /** One higher after every write; the entity tag is made from it. */
  revision: number;
  createdAt: string;
  updatedAt: string;
}

/** A content with its number. Never changed. */
export type Numbered<Content> = Content & {
  /** The published version, or 0 for the content of a thing that has none. */
  number: number;
  createdAt: string;
};

/** The copy of the current content, which lies beside the name. A release before the copy does not keep it up. */
export type CurrentContent<Content> = Numbered<Content> & { id: string };

/** A thing as its owner and name find it. */
export interface Named<Content> {
  row: NamedRow;
  /** One of its contents: the current one, unless the thing is being written, or an earlier release wrote it. */
  content?: Numbered<Content>;
}

/** What the resolution of a name needs of a row. */
export type NamedRow = Pick<Row, 'id' | 'owner' | 'name' | 'enabled' | 'version' | 'revision'>;

export interface Stored<Content> {
  row: Row;
  content: Numbered<Content>;
}

export const contentNumber = (row: Pick<Row, 'version'>): number => row.version ?? 0;

/** A row as lists tell it. */
export function describeRow(row: Row, providerScope: string) {
  const { id, name, description, enabled, owner, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    description,
    enabled,
    scope: scopeName(owner, providerScope),
    version,
    createdAt,
    updatedAt,
  };
}
