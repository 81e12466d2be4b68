import type { DomainError, SizedCache, UnresolvedReason } from '@errand/platform';
import type { VersionsDeps } from './deps.ts';

/** What a caller says of a new thing, whatever its kind, beside its content. */
interface NewNamed {
  name: string;
  description?: string;
}

export interface NamedPatch {
  name?: string;
  description?: string;
  enabled?: boolean;
}

/** A content as it was authored, with its digest, and what else was recorded when it was written. */
interface Digested {
  contentHash: string;
}

/** The types of one kind. */
export interface Shape {
  /** What callers say to create one, and to change one. */
  create: NewNamed;
  patch: NamedPatch;
  /** What is published: the authored part of a content. */
  authored: unknown;
  content: Digested;
  /** What lists of versions tell of a content. */
  recorded: Digested;
  /** What a request uses of a content. */
  used: Digested;
}

/** What sets one kind of named thing with versions apart from another. Both lie in the same table. */
export interface Kind<S extends Shape> {
  /** The word in ids, keys, conditions and the log. */
  noun: string;
  /** Sorts after `content#`. */
  rowSortKey: string;
  /** What the keys under an owner begin with, so that no query of one kind finds another. */
  ownedPrefix: string;
  authored: {
    ofNew(input: S['create']): S['authored'];
    of(content: S['content']): S['authored'];
    /** What a patch makes of it. */
    changed(before: S['authored'], patch: S['patch']): S['authored'];
  };
  recorded: readonly (keyof S['recorded'] & string)[];
  measure(authored: S['authored']): Promise<S['content']>;
  /** The digest is that of the stored bytes, whatever was recorded. */
  use(content: S['content']): Promise<S['used']>;
  /** Keeps contents that were used, by their keys. */
  memory(deps: Pick<VersionsDeps, 'dynamodb'>): SizedCache<S['used']>;
  /** An upper bound of what the memory needs for one. */
  usedBytes(used: S['used'], content: S['content']): number;
  refuse: {
    missing(): DomainError;
    nameTaken(name: string): DomainError;
    unresolved(reason: UnresolvedReason, name: string): DomainError;
    changed(name: string): DomainError;
  };
}

/** The part of a kind that stores need. */
export type KindKeys = Pick<Kind<Shape>, 'noun' | 'rowSortKey' | 'ownedPrefix'>;

/** What a use case of this room asks for beside the kind. */
export type OfKind<UseCase> = UseCase extends (kind: never, ...asked: infer Asked) => unknown ? Asked : never;
