import { describeRow, type Stored } from '@errand/versions';
import type * as v from 'valibot';
import type { skillDetailSchema, skillSummarySchema } from './schema.ts';
import type { SkillContent } from './skill-kind.ts';

export type StoredSkill = Stored<SkillContent>;

/** A skill in a list: without its instructions. */
export type SkillSummary = v.InferOutput<typeof skillSummarySchema>;

export type SkillDetail = v.InferOutput<typeof skillDetailSchema>;

export const describeSkill = ({ row, content }: StoredSkill, providerScope: string): SkillDetail => ({
  ...describeRow(row, providerScope),
  instructions: content.instructions,
});
