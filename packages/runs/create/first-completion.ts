import { countTokens, type Model, priceAt } from '@errand/models';
import { boundCompletion, type CostBound, parseEuro, withinCap } from '@errand/money';
import { type Clock, fieldIssue, limits } from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import type { CreateRunBody } from '../schema.ts';

/** The bytes of the system prompt and of the definitions of all tools of ours; they are fewer. */
const promptBytes = 16 * 1024;

/** What a run's first completion may cost at most, with what was read from its file. */
export function boundFirstCompletion(
  deps: { clock: Clock },
  model: Model,
  { question, documentUrl = '', audioUrl = '', mcp = [] }: CreateRunBody,
  { skill, material = '' }: { skill: ResolvedSkill | undefined; material?: string },
): CostBound {
  const texts = [question, documentUrl, audioUrl, skill?.block ?? '', material];
  const definitions = mcp.length > 0 ? limits.remoteDefinitionsBytes : 0;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), promptBytes + definitions);
  return boundCompletion(priceAt(model, deps.clock()), {
    mostInputTokens: Math.min(bytes, model.contextTokens ?? Number.MAX_SAFE_INTEGER),
    countInput: async () => promptTokens + definitions + (await countTokens(texts.join('\n'))),
    outputTokens: limits.outputTokensPerCompletion,
  });
}

/** The tokens of the system prompt and of the definitions of all tools of ours; they are fewer. */
const promptTokens = 2_000;

/** The most that a run may cost: what its creation says, or the default of the deployment. */
export function capOf(
  deps: { runMaxCredits?: string },
  { maxCredits = deps.runMaxCredits }: CreateRunBody,
): number | undefined {
  return maxCredits === undefined ? undefined : parseEuro(maxCredits);
}

/** The bound of a call and of one after it. Only the second makes do with less. */
export const together = (first: CostBound, second: CostBound): CostBound => ({
  mostNanoEuro: first.mostNanoEuro + second.mostNanoEuro,
  async within(there) {
    const rest = await second.within(there - first.mostNanoEuro);
    return rest === undefined ? undefined : first.mostNanoEuro + rest;
  },
});

/** Bounds what is set aside by what the run may cost. Throws `invalid_request` if that does not pay for the first completion's input. */
export async function withinCreationCap(
  bound: CostBound,
  capNanoEuro = Number.POSITIVE_INFINITY,
): Promise<CostBound> {
  const capped = await withinCap(bound, capNanoEuro);
  if (!capped) throw fieldIssue('maxCredits', 'does not pay for the input of the first completion');
  return capped;
}
