import { countTokens } from '@errand/models';
import {
  backOff,
  createSizedCache,
  DomainError,
  limits,
  type Principal,
  perConnection,
  type SizedCache,
  type SkillReason,
  sha256Hex,
} from '@errand/platform';
import { wrapInstructions } from './block.ts';
import type { SkillsDeps, StoreDeps } from './deps.ts';
import { isMeant, type Precondition } from './entity-tag.ts';
import { lastKnown, learnNames, recallEnabled } from './name-cache.ts';
import { accountOwnerKey, ownerKey, visibleOwners } from './owner.ts';
import { contentNumber, type NamedRow, type NamedSkill, type SkillContent } from './skill.ts';
import { readSkillField, type SkillReference } from './skill-field.ts';
import { skillNamePattern } from './skill-name.ts';
import { readContent, readNamed } from './store.ts';

/** The skill as one request uses it. A run stores it, so that later changes of the skill do not affect the run. */
export interface ResolvedSkill extends ResolvedContent {
  /** Absent in runs of releases that did not store it. */
  id?: string;
  name: string;
}

/** What stays known of a skill after the request that it shaped. */
export interface SkillIdentity {
  id?: string;
  name: string;
  version?: number;
}

export const skillIdentity = ({ id, name, version }: ResolvedSkill): SkillIdentity => ({
  id,
  name,
  version,
});

const maxAttempts = 8;

/**
 * Resolves a request's `skills` field for this caller: own skills first, then the organisation's, then the provider's.
 * Undefined without the field. Throws `skills_disabled`, `skill_param_invalid`, `skill_unresolved`, and `skill_changed`
 * where the precondition means another state of the skill; never from memory.
 *
 * Takes no DynamoDB request if the process read the name at most `limits.keyCacheMilliseconds` ago, has the content, and
 * the precondition means it; else one; two for a version that is not the current one, or that became it since the process
 * last read the name and no precondition tells so, and for a skill that an earlier release wrote; more only while the
 * skill is being written.
 */
export async function resolveSkill(
  deps: SkillsDeps,
  principal: Principal,
  field: unknown,
  precondition: Precondition = {},
): Promise<ResolvedSkill | undefined> {
  if (field === undefined) return undefined;
  if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
  const reference = readSkillField(field);
  const owners = visibleOwners(principal).map(ownerKey);
  const recalled = recallEnabled(deps, owners, reference.name);
  if (recalled && !refusal(recalled, reference)) {
    const resolved = await apply(deps, { row: recalled }, reference);
    if (resolved && isMeant(precondition, recalled, resolved.contentHash)) return resolved;
  }
  const asked = { owners, own: accountOwnerKey(principal), precondition };
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const found = await findEnabled(deps, asked, reference);
    const resolved = await apply(deps, found, reference);
    if (resolved && !isMeant(precondition, found.row, resolved.contentHash))
      throw new DomainError('skill_changed', { name: reference.name });
    if (resolved) return resolved;
    // The skill was deleted or changed after its row was read.
    await backOff(deps, attempt);
  }
  throw unresolved('unknown', reference);
}

async function findEnabled(
  deps: SkillsDeps,
  { owners, own, precondition }: { owners: readonly string[]; own: string; precondition: Precondition },
  reference: SkillReference,
): Promise<NamedSkill> {
  const { name } = reference;
  // A malformed name is not looked up: no skill has it, and DynamoDB refuses keys longer than 1 KB.
  if (!skillNamePattern.test(name)) throw unresolved('unknown', reference);
  const held = lastKnown(deps, owners, name).some((row) => {
    const content = contentsOf(deps).get(keyOf(row.id, wanted(row, reference)));
    return content && isMeant(precondition, row, content.contentHash);
  });
  const skills = await learnNames(deps, owners, name, () => readNamed(deps, owners, name, !held));
  const enabled = skills.find(({ row }) => row.enabled);
  // A disabled skill of anyone else is not visible to the caller.
  const isOwn = skills.some(({ row }) => row.owner === own);
  if (!enabled) throw unresolved(isOwn ? 'disabled' : 'unknown', reference);
  const reason = refusal(enabled.row, reference);
  if (reason) throw unresolved(reason, reference);
  return enabled;
}

/** Undefined if the content is missing. */
async function apply(
  deps: SkillsDeps,
  { row, content }: NamedSkill,
  reference: SkillReference,
): Promise<ResolvedSkill | undefined> {
  const resolved = await readResolved(deps, row.id, wanted(row, reference), content);
  return resolved && { id: row.id, name: row.name, ...resolved };
}

const wanted = (row: NamedRow, { version }: SkillReference): number => version ?? contentNumber(row);

function refusal(row: NamedRow, { version }: SkillReference): 'unversioned' | 'unknown_version' | undefined {
  if (version === undefined) return undefined;
  if (row.version === null) return 'unversioned';
  return version > row.version ? 'unknown_version' : undefined;
}

const unresolved = (reason: SkillReason, { name }: SkillReference): DomainError<'skill_unresolved'> =>
  new DomainError('skill_unresolved', { reason, name });

/** A content as requests use it. */
interface ResolvedContent {
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

/** A content from this process's memory, from `copy` if it is the one, or from the table, which may not have it. */
async function readResolved(
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
