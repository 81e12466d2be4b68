import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getItem, type Item } from '@errand/platform';
import type { Rule } from './copy-items.ts';

interface KeysOfKind {
  noun: string;
  row: string;
  name: string;
}

/** The table holds both. */
const skill: KeysOfKind = { noun: 'skill', row: 'skill', name: 'name#' };
const agent: KeysOfKind = { noun: 'agent', row: 'row', name: 'agent-name#' };

const kindOf = ({ pk, sk }: Item): KeysOfKind =>
  String(pk).startsWith('agent#') || String(sk).startsWith('agent-') ? agent : skill;

/**
 * Skills and stored agents that the target lacks come over whole: row, versions, and what lies under their names. What both tables
 * have stays as the target has it, and so does a name that another of the target has.
 */
export function skillsRule(
  dynamodb: DynamoDBDocumentClient,
  { from, to }: { from: string; to: string },
): Rule {
  const isNew = async ({ noun, row, name }: KeysOfKind, id: string): Promise<boolean> => {
    const key = { pk: `${noun}#${id}`, sk: row };
    const [ours, theirs] = await Promise.all([from, to].map((table) => getItem({ dynamodb }, table, key)));
    if (!ours) return false;
    // Broken off and repeated, the copying finds a part of it there.
    if (theirs) return isDeepStrictEqual(ours, theirs);
    const named = await getItem({ dynamodb }, to, { pk: ours.owner, sk: name + ours.name });
    return named === undefined || named.id === id;
  };
  const known = new Map<string, Promise<boolean>>();
  return async (item, there) => {
    if (there) return undefined;
    const kind = kindOf(item);
    const id = idOf(kind, item);
    const deciding = known.get(id) ?? isNew(kind, id);
    known.set(id, deciding);
    return (await deciding) ? item : undefined;
  };
}

/** The items under an owner's name have the id of what is so named. */
const idOf = ({ noun }: KeysOfKind, { pk, id }: Item): string =>
  String(pk).startsWith(`${noun}#`) ? String(pk).slice(noun.length + 1) : String(id);
