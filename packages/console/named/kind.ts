import type { Signal } from '@preact/signals';
import type { ComponentType } from 'preact';

/** What is told of a skill or an agent in lists. */
export interface Named {
  name: string;
  description: string;
  version: number | null;
  enabled: boolean;
  scope: string;
}

export interface NamedVersion {
  number: number;
  createdAt: string;
  digest: string;
  tokens?: number;
}

export interface NamedDraft {
  name: string;
  description: string;
  instructions: string;
}

/** A thing with the tag of the state in which it was read: a change of another one is not overwritten. */
export interface Tagged<Thing> {
  thing: Thing;
  etag: string;
}

/** What differs between skills and agents on their pages. */
export interface NamedKind<Thing extends Named, Draft extends NamedDraft, Version> {
  noun: string;
  /** Its page, and its routes. */
  room: 'skills' | 'agents';
  /** What the path of one has, by its name in the API's document. */
  key: 'id' | 'name';
  idOf(thing: Thing): string;
  nothing: Draft;
  draftOf(thing: Thing): Draft;
  /** The body of a creation; of a change, null takes a field away. */
  toNew(draft: Draft): object;
  toPatch(draft: Draft): object;
  /** What versions are compared by. */
  textOf(content: Thing | Version): string;
  Fields: ComponentType<{ draft: Signal<Draft> }>;
}

export const isOwn = ({ scope }: Pick<Named, 'scope'>): boolean => scope === 'user';
