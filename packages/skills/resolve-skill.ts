import { countTokens } from '@errand/models';
import { backOff, DomainError, type Principal, sha256Hex } from '@errand/platform';
import { wrapInstructions } from './block.ts';
import type { SkillsDeps } from './deps.ts';
import { ownerKey, visibleOwners } from './owner.ts';
import { contentNumber, type SkillContent, type SkillRow } from './skill.ts';
import { readSkillField, type SkillReference } from './skill-field.ts';
import { skillNamePattern } from './skill-name.ts';
import { readContent, readNames } from './store.ts';

/** The skill as one request uses it. A run stores it, so that later changes of the skill do not affect the run. */
export interface ResolvedSkill {
  name: string;
  /** The instructions in their `<user_skill>` element, as the model reads them. */
  block: string;
  injectedTokens: number;
  contentHash: string;
  /** Absent if the instructions are not those of a published version. */
  version?: number;
}

const maxAttempts = 8;

/**
 * Resolves a request's `skills` field for this caller: own skills first, then the organisation's, then the provider's.
 * Undefined without the field. Throws `skills_disabled`, `skill_param_invalid`, `skill_unresolved`. Takes two DynamoDB
 * requests, and more only while the skill is being written.
 */
export async function resolveSkill(
  deps: SkillsDeps,
  principal: Principal,
  field: unknown,
): Promise<ResolvedSkill | undefined> {
  if (field === undefined) return undefined;
  if (!deps.skillsEnabled) throw new DomainError('skills_disabled');
  const reference = readSkillField(field);
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const row = await findRow(deps, principal, reference.name);
    const content = await readContent(deps, row.id, chooseNumber(row, reference));
    if (content) return describeResolved(row, content);
    // The skill was deleted or changed after its row was read.
    await backOff(deps, attempt);
  }
  throw new DomainError('skill_unresolved', { reason: 'unknown', name: reference.name });
}

async function findRow(deps: SkillsDeps, principal: Principal, name: string): Promise<SkillRow> {
  const owners = visibleOwners(principal).map(ownerKey);
  // A malformed name is not looked up: no skill has it, and DynamoDB refuses keys longer than 1 KB.
  const rows = skillNamePattern.test(name) ? await readNames(deps, owners, name) : [];
  const enabled = rows.find((row) => row.enabled);
  if (enabled) return enabled;
  throw new DomainError('skill_unresolved', { reason: rows.length > 0 ? 'disabled' : 'unknown', name });
}

function chooseNumber(row: SkillRow, { name, version }: SkillReference): number {
  if (version === undefined) return contentNumber(row);
  if (row.version === null) throw new DomainError('skill_unresolved', { reason: 'unversioned', name });
  if (version > row.version) throw new DomainError('skill_unresolved', { reason: 'unknown_version', name });
  return version;
}

/** Describes the stored bytes. If they do not match the recorded digest, they have no version. */
async function describeResolved(row: SkillRow, content: SkillContent): Promise<ResolvedSkill> {
  const block = wrapInstructions(content.instructions);
  const contentHash = sha256Hex(content.instructions);
  const asRecorded = contentHash === content.contentHash;
  return {
    name: row.name,
    block,
    injectedTokens: asRecorded ? content.injectedTokens : await countTokens(block),
    contentHash,
    ...(asRecorded && content.number > 0 && { version: content.number }),
  };
}
