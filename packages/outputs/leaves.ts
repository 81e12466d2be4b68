import { limits, type OrderedJson, stringifyOrderedJson } from '@errand/platform';
import { claimOf, labelOf, type Row, rowOf, textOf } from './claims.ts';
import { pointerStep } from './pointers.ts';
import type { SchemaText } from './problems.ts';
import type { SchemaNode } from './schema-tree.ts';
import { itemNodes, propertyNodes, shapeOf, valueSet } from './shape.ts';
import type { Written } from './written-value.ts';

/** A text, number or flag of a value that is a fact: no null, and nothing that the schema alone decides (`const`, an enum of one). */
export interface Leaf {
  pointer: string;
  /** Where it stands in the text of the value, in UTF-16 units; the end is exclusive. */
  startIndex: number;
  endIndex: number;
  /** A statement of it in words: the titles or names on the way, the schema's descriptions, what tells its row from others, the value. */
  claim: string;
  /** The sources of the longest pointer in `sources` that holds it. */
  sources: readonly number[];
}

export interface ToldValue {
  /** The value as JSON, keys in the order in which they were written. */
  text: string;
  /** At most `limits.basisFields`, whose pointers have `limits.basisPointerCharacters` together, in their order. */
  leaves: Leaf[];
}

const { basisPointerCharacters: mostPointerCharacters } = limits;

/** Where a part of the value stands. */
interface Place {
  pointer: string;
  nodes: readonly SchemaNode[];
  labels: readonly string[];
  /** What tells the objects around it apart: those of lists, and the nearest. */
  rows: readonly Row[];
  isOfList: boolean;
  sources: readonly number[];
}

/** The value as callers read it, with its leaves. */
export function tellValue({ value, sources }: Written, schema: SchemaText): ToldValue {
  const shape = shapeOf(schema);
  const leaves: Leaf[] = [];
  let text = '';
  let pointerCharacters = 0;
  const longest = Math.max(0, ...[...sources.keys()].map(({ length }) => length));

  const writeObject = (object: ReadonlyMap<string, OrderedJson>, place: Place) => {
    const near = shape.nearest(place.nodes, object as Map<string, OrderedJson>);
    const row = rowOf(object as Map<string, OrderedJson>, near, place.isOfList);
    text += '{';
    let isFirst = true;
    for (const [key, each] of object) {
      text += `${isFirst ? '' : ','}${stringifyOrderedJson(key)}:`;
      isFirst = false;
      const nodes = propertyNodes(near, key);
      const rows =
        row === undefined || row.key === key
          ? place.rows
          : [...place.rows.filter(({ isOfList }) => isOfList), row];
      const labels = [...place.labels, labelOf(described(nodes), key)];
      const pointer = place.pointer + pointerStep(key);
      write(each, { ...place, pointer, nodes, labels, rows, isOfList: false });
    }
    text += '}';
  };
  const writeList = (list: readonly OrderedJson[], place: Place) => {
    const nodes = itemNodes(shape.nearest(place.nodes, list as OrderedJson[]));
    text += '[';
    for (const [i, each] of list.entries()) {
      if (i > 0) text += ',';
      write(each, { ...place, pointer: place.pointer + pointerStep(i), nodes, isOfList: true });
    }
    text += ']';
  };
  /** A reference's own words come before those of what it means. */
  const described = (nodes: readonly SchemaNode[]) => [...nodes, ...shape.alternatives(nodes)];
  /** A pointer is as long as its names together: one that no source has is not looked for. */
  const sourcesAt = ({ pointer }: Place) => (pointer.length > longest ? undefined : sources.get(pointer));
  const write = (each: OrderedJson, outer: Place) => {
    if (each === null || leaves.length >= limits.basisFields || pointerCharacters >= mostPointerCharacters) {
      text += stringifyOrderedJson(each);
      return;
    }
    const place = { ...outer, sources: sourcesAt(outer) ?? outer.sources };
    if (each instanceof Map) return writeObject(each, place);
    if (Array.isArray(each)) return writeList(each, place);
    const startIndex = text.length;
    text += stringifyOrderedJson(each);
    const near = shape.nearest(place.nodes, each);
    if (near.length > 0 && near.every((node) => valueSet(node)?.size === 1)) return;
    const description = textOf([...place.nodes, ...near], 'description');
    const claim = claimOf({ labels: place.labels, description, rows: place.rows, value: each });
    pointerCharacters += place.pointer.length;
    if (pointerCharacters > mostPointerCharacters) return;
    leaves.push({ pointer: place.pointer, startIndex, endIndex: text.length, claim, sources: place.sources });
  };

  const title = textOf(described(shape.root), 'title');
  write(value, {
    pointer: '',
    nodes: shape.root,
    labels: title === undefined ? [] : [title],
    rows: [],
    isOfList: false,
    sources: [],
  });
  return { text, leaves };
}
