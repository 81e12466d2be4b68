import { valueTokens } from '@errand/agent';
import { instructionsBlock, type ResolvedAgent } from '@errand/agents';
import { countTokens, type Model, priceAt, thinkingTokens } from '@errand/models';
import { boundCompletion, type CostBound, nothingYet, withinCap } from '@errand/money';
import { providerFormat, writtenForm } from '@errand/outputs';
import { type Clock, fieldIssue, limits } from '@errand/platform';
import type { ResolvedSkill } from '@errand/skills';
import { contextOf } from '../context-of.ts';
import type { RunBody } from '../schema.ts';
import { type FollowedRun, textSentAgain } from './follow.ts';

/** The part of a plan that tells what the run's first completion may cost. */
interface PlannedCompletion {
  request: { body: RunBody };
  followed?: FollowedRun;
  model?: Model;
  agent?: Pick<ResolvedAgent, 'definition'>;
  skill?: ResolvedSkill;
  maxNanoEuro?: number;
}

/** An upper bound for the bytes of the system prompt and the definitions of our tools. */
const promptBytes = 16 * 1024;
/** Upper bounds for the tokens of both, in a run that answers in prose and in one that writes a value. */
const promptTokens = { prose: 2_300, value: 2_800 };
/** Upper bounds for what a run of high effort is told of its sub-runs. */
const aboutSubRuns = { bytes: 2 * 1024, tokens: 450 };
/** Upper bounds for what a function's definition has around what its caller says of it. */
const aroundFunction = { bytes: 128, tokens: 24 };

/**
 * What a run's first completion may cost at most. `material` is the text of its file, `before` what its file costs before.
 * Throws `invalid_request` if the run's cap does not pay for the input of the completion.
 */
export async function boundFirstCompletion(
  deps: { clock: Clock },
  { request, followed, model, agent, skill, maxNanoEuro = Number.POSITIVE_INFINITY }: PlannedCompletion,
  { material = '', before }: { material?: string; before?: CostBound } = {},
): Promise<CostBound> {
  if (!model) return nothingYet;
  const { question, documentUrl = '', audioUrl = '', mcp = [] } = request.body;
  const { functions, functionResults, approvals, outputSchema, effort } = request.body;
  const more = effort === 'high' ? aboutSubRuns : { bytes: 0, tokens: 0 };
  const texts = [question, documentUrl, audioUrl, skill?.block ?? '', material];
  if (agent) texts.push(instructionsBlock(agent.definition.instructions));
  if (followed) texts.push(textSentAgain(followed));
  // The completion that writes a value must be paid for in any case. It has the schema in its prompt, and as its form.
  if (outputSchema !== undefined)
    texts.push(writtenForm(outputSchema), JSON.stringify(providerFormat(outputSchema)));
  const { length: offered } = functions ?? [];
  const ownTokens =
    promptTokens[outputSchema === undefined ? 'prose' : 'value'] +
    aroundFunction.tokens * offered +
    more.tokens;
  const writtenTokens = outputSchema === undefined ? limits.outputTokensPerCompletion : valueTokensOf(model);
  for (const told of [functions, functionResults, approvals]) if (told) texts.push(JSON.stringify(told));
  const definitions = mcp.length > 0 ? limits.remoteDefinitionsBytes : 0;
  const ownBytes = promptBytes + definitions + aroundFunction.bytes * offered + more.bytes;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), ownBytes);
  const bound = boundCompletion(priceAt(model, deps.clock()), {
    mostInputTokens: Math.min(bytes, model.contextTokens ?? Number.MAX_SAFE_INTEGER),
    countInput: async () => ownTokens + definitions + (await countTokens(texts.join('\n'))),
    outputTokens: writtenTokens + thinkingTokens(model),
  });
  const capped = await withinCap(before ? together(before, bound) : bound, maxNanoEuro);
  if (!capped) throw fieldIssue('maxCredits', 'does not pay for the input of the first completion');
  return capped;
}

const valueTokensOf = (model: Model): number =>
  valueTokens({
    contextTokens: contextOf(model),
    mostOutputTokens: model.maxOutputTokens,
    thinkingTokens: () => thinkingTokens(model),
  });

/** The bound of a call and of the call after it. Only the second call makes do with less. */
const together = (first: CostBound, second: CostBound): CostBound => ({
  mostNanoEuro: first.mostNanoEuro + second.mostNanoEuro,
  async within(there) {
    const rest = await second.within(there - first.mostNanoEuro);
    return rest === undefined ? undefined : first.mostNanoEuro + rest;
  },
});
