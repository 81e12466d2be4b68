import { countTokens } from '@errand/models';
import { createSizedCache, limits, perConnection, type SizedCache, sha256Hex } from '@errand/platform';
import { wrapInstructions } from './block.ts';
import type { StoreDeps } from './deps.ts';
import type { SkillContent } from './skill.ts';
import { readContent } from './store.ts';

/** A content as requests use it. */
export interface ResolvedContent {
  /** The instructions in their `<user_skill>` element, as the model reads them. */
  block: string;
  injectedTokens: number;
  contentHash: string;
  /** Absent if the instructions are not those of a published version. */
  version?: number;
}

/**
 * Contents by skill and number. None needs to be forgotten: no write changes a content, that of a skill without versions
 * included, no id is given twice, and a deleted skill's contents are not asked for.
 */
const contentsOf = perConnection<SizedCache<ResolvedContent>>(() => createSizedCache(limits.skillCacheBytes));

/** An upper bound of what an entry needs beside its block. */
const entryBytes = 1_000;

const keyOf = (id: string, number: number): string => `${id} ${number}`;

export const hasContent = (deps: StoreDeps, id: string, number: number): boolean =>
  contentsOf(deps).get(keyOf(id, number)) !== undefined;

/** A content from this process's memory, from `copy` if it is the one, or from the table, which may not have it. */
export async function readResolved(
  deps: StoreDeps,
  id: string,
  number: number,
  copy?: SkillContent,
): Promise<ResolvedContent | undefined> {
  const known = contentsOf(deps).get(keyOf(id, number));
  if (known) return known;
  const content = copy?.number === number ? copy : await readContent(deps, id, number);
  return content && describe(deps, id, content);
}

/** Describes the stored bytes. If they do not match the recorded digest, they have no version and are not remembered. */
async function describe(deps: StoreDeps, id: string, content: SkillContent): Promise<ResolvedContent> {
  const { number, injectedTokens } = content;
  const block = wrapInstructions(content.instructions);
  const contentHash = sha256Hex(content.instructions);
  if (contentHash !== content.contentHash)
    return { block, injectedTokens: await countTokens(block), contentHash };
  const resolved = { block, injectedTokens, contentHash, ...(number > 0 && { version: number }) };
  // A character takes at most two bytes in memory.
  contentsOf(deps).set(keyOf(id, number), resolved, 2 * block.length + entryBytes);
  return resolved;
}
