import { ConditionsFailed, fieldIssue, limits, newId, toIso } from '@errand/platform';
import type { VersionsDeps } from './deps.ts';
import type { Kind, Shape } from './kind.ts';
import { writeNames } from './name-cache.ts';
import { type Owner, ownerKey } from './owner.ts';
import type { Stored } from './stored.ts';
import { finishSomeDeletions } from './sweep-deleted.ts';
import { insertWrites, roomForNamed } from './writes.ts';

/**
 * Creates an enabled thing with version 1, or with version null, as those were written before versions existed: no
 * request can pin it, and the first write that changes its content publishes version 1. The input must have been
 * validated. Refuses a name that is taken, and throws `invalid_request` if the account has as many as it may have.
 */
export async function createNamed<S extends Shape>(
  kind: Kind<S>,
  deps: VersionsDeps,
  owner: Owner,
  input: S['create'],
  version: 1 | null = 1,
): Promise<Stored<S['content']>> {
  const now = toIso(deps.clock());
  const key = ownerKey(owner);
  const { name, description = '' } = input;
  const stored: Stored<S['content']> = {
    row: {
      id: newId(kind.noun),
      owner: key,
      name,
      description,
      enabled: true,
      version,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    },
    content: {
      ...(await kind.measure(kind.authored.ofNew(input))),
      number: version ?? 0,
      createdAt: now,
    },
  };
  try {
    await writeNames(deps, kind, [stored.row], insertWrites(deps, kind, stored));
  } catch (error) {
    if (error instanceof ConditionsFailed && error.has('name-free')) throw kind.refuse.nameTaken(name);
    if (error instanceof ConditionsFailed && error.has(roomForNamed)) throw oneTooMany(kind.noun);
    throw error;
  }
  await finishSomeDeletions(deps, kind, key);
  return stored;
}

const oneTooMany = (noun: string) =>
  fieldIssue(
    '',
    `is one too many: an account may have ${limits.skillsPerAccount.toLocaleString('en')} ${noun}s`,
  );
