import type * as v from 'valibot';
import { scopeName } from './owner.ts';
import type { skillDetailSchema, skillSummarySchema } from './schema.ts';

/** A skill without its instructions. Each skill is stored twice: under its id, and under its owner and name. */
export interface SkillRow {
  id: string;
  owner: string;
  name: string;
  description: string;
  enabled: boolean;
  /** The latest published version; null for a skill last written before versions existed. */
  version: number | null;
  /** One higher after every write; the entity tag is made from it. */
  revision: number;
  createdAt: string;
  updatedAt: string;
}

/** Instructions as authored, with the digest and tokens recorded when they were written. Never changed. */
export interface SkillContent {
  /** The published version, or 0 for the instructions of a skill that has none. */
  number: number;
  instructions: string;
  contentHash: string;
  injectedTokens: number;
  createdAt: string;
}

export type VersionRecord = Omit<SkillContent, 'instructions'>;

/** The copy of a skill's current content, which lies beside its name. A release before the copy does not keep it up. */
export interface CurrentContent extends SkillContent {
  id: string;
}

/** A skill as its owner and name find it. */
export interface NamedSkill {
  row: NamedRow;
  /** One of its contents: the current one, unless the skill is being written, or an earlier release wrote it. */
  content?: SkillContent;
}

/** What the resolution of a name needs of a row. */
export type NamedRow = Pick<SkillRow, 'id' | 'owner' | 'name' | 'enabled' | 'version' | 'revision'>;

export interface StoredSkill {
  row: SkillRow;
  content: SkillContent;
}

/** A skill in a list: without its instructions. */
export type SkillSummary = v.InferOutput<typeof skillSummarySchema>;

export type SkillDetail = v.InferOutput<typeof skillDetailSchema>;

export const contentNumber = (row: Pick<SkillRow, 'version'>): number => row.version ?? 0;

export function describeRow(row: SkillRow, providerScope: string): SkillSummary {
  const { id, name, description, enabled, owner, version, createdAt, updatedAt } = row;
  return {
    id,
    name,
    description,
    enabled,
    scope: scopeName(owner, providerScope),
    version,
    createdAt,
    updatedAt,
  };
}

export function describeSkill({ row, content }: StoredSkill, providerScope: string): SkillDetail {
  return { ...describeRow(row, providerScope), instructions: content.instructions };
}
