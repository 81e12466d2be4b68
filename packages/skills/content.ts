import { countTokens } from '@errand/models';
import { sha256Hex } from '@errand/platform';
import { wrapInstructions } from './block.ts';

import type { SkillContent } from './skill.ts';

export async function makeContent(
  instructions: string,
  number: number,
  createdAt: string,
): Promise<SkillContent> {
  return {
    number,
    instructions,
    contentHash: sha256Hex(instructions),
    injectedTokens: await countTokens(wrapInstructions(instructions)),
    createdAt,
  };
}
