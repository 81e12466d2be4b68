import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { getItem, type Item } from '@errand/platform';
import type { Rule } from './copy-items.ts';

/**
 * Skills that the target lacks come over whole: row, versions, and what lies under their names. A skill that both tables have
 * stays as the target has it, and so does a name that another skill of the target has.
 */
export function skillsRule(
  dynamodb: DynamoDBDocumentClient,
  { from, to }: { from: string; to: string },
): Rule {
  const isNew = async (id: string): Promise<boolean> => {
    const row = { pk: `skill#${id}`, sk: 'skill' };
    const [ours, theirs] = await Promise.all([from, to].map((table) => getItem({ dynamodb }, table, row)));
    if (!ours) return false;
    // Broken off and repeated, the copying finds a part of the skill there.
    if (theirs) return isDeepStrictEqual(ours, theirs);
    const named = await getItem({ dynamodb }, to, { pk: ours.owner, sk: `name#${ours.name}` });
    return named === undefined || named.id === id;
  };
  const known = new Map<string, Promise<boolean>>();
  return async (item, there) => {
    if (there) return undefined;
    const id = idOf(item);
    const deciding = known.get(id) ?? isNew(id);
    known.set(id, deciding);
    return (await deciding) ? item : undefined;
  };
}

/** The items under an owner's name have the id of their skill. */
const idOf = ({ pk, id }: Item): string =>
  String(pk).startsWith('skill#') ? String(pk).slice('skill#'.length) : String(id);
