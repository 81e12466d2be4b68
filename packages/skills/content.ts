import { countTokens } from '@errand/models';
import { sha256Hex } from '@errand/platform';
import { wrapInstructions } from './block.ts';
import type { SkillContent } from './skill.ts';

export type MeasuredInstructions = Pick<SkillContent, 'instructions' | 'contentHash' | 'injectedTokens'>;

/** `contentHash` is the SHA-256 of the authored instructions; `injectedTokens` counts the whole `<user_skill>` element. */
export const measureInstructions = async (instructions: string): Promise<MeasuredInstructions> => ({
  instructions,
  contentHash: sha256Hex(instructions),
  injectedTokens: await countTokens(wrapInstructions(instructions)),
});
