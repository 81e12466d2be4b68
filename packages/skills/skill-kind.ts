import { countTokens } from '@errand/models';
import {
  createSizedCache,
  DomainError,
  limits,
  perConnection,
  type SizedCache,
  sha256Hex,
} from '@errand/platform';
import type { Kind } from '@errand/versions';
import { wrapInstructions } from './block.ts';
import type { NewSkill, SkillPatch } from './schema.ts';

/** Instructions as authored, with the digest and tokens recorded when they were written. */
export interface SkillContent extends Recorded {
  instructions: string;
}

interface Recorded {
  /** The SHA-256 of the authored instructions. */
  contentHash: string;
  /** Counts the whole `<user_skill>` element. */
  injectedTokens: number;
}

interface UsedContent extends Recorded {
  /** The instructions in their `<user_skill>` element, as the model reads them. */
  block: string;
}

export interface SkillShape {
  create: NewSkill;
  patch: SkillPatch;
  authored: string;
  content: SkillContent;
  recorded: Recorded;
  used: UsedContent;
}

/** An upper bound of what an entry of the memory needs beside its block. */
const entryBytes = 1_000;

export const skillKind: Kind<SkillShape> = {
  noun: 'skill',
  rowSortKey: 'skill',
  ownedPrefix: '',
  authored: {
    ofNew: ({ instructions }) => instructions,
    of: ({ instructions }) => instructions,
    changed: (before, { instructions = before }) => instructions,
  },
  recorded: ['contentHash', 'injectedTokens'],
  measure: async (instructions) => ({
    instructions,
    contentHash: sha256Hex(instructions),
    injectedTokens: await countTokens(wrapInstructions(instructions)),
  }),
  async use({ instructions, contentHash: recorded, injectedTokens }) {
    const block = wrapInstructions(instructions);
    const contentHash = sha256Hex(instructions);
    const isAsRecorded = contentHash === recorded;
    return { block, injectedTokens: isAsRecorded ? injectedTokens : await countTokens(block), contentHash };
  },
  memory: perConnection<SizedCache<UsedContent>>(() => createSizedCache(limits.skillCacheBytes)),
  // A character takes at most two bytes in memory.
  usedBytes: ({ block }) => 2 * block.length + entryBytes,
  refuse: {
    missing: () => new DomainError('skill_not_found'),
    nameTaken: (name) => new DomainError('skill_name_taken', { name }),
    unresolved: (reason, name) => new DomainError('skill_unresolved', { reason, name }),
    changed: (name) => new DomainError('skill_changed', { name }),
  },
};
