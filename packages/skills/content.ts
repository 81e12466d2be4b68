import { countTokens } from '@errand/models';
import { sha256Hex } from '@errand/platform';
import { wrapInstructions } from './block.ts';
import type { SkillContent } from './skill.ts';

export type MeasuredInstructions = Pick<SkillContent, 'instructions' | 'contentHash' | 'injectedTokens'>;

/** The digest is of the authored bytes; the tokens are those of the whole block as a model reads it. */
export const measureInstructions = async (instructions: string): Promise<MeasuredInstructions> => ({
  instructions,
  contentHash: sha256Hex(instructions),
  injectedTokens: await countTokens(wrapInstructions(instructions)),
});
