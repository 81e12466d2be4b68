import { countTokens, type Model } from '@errand/models';
import { limits, type OrderedJson } from '@errand/platform';
import { tokensAround } from './bound-decision.ts';
import { textsOf } from './count-context.ts';
import { contextTokens } from './engines/ask.ts';
import { caseOf, type DecisionRequest, partOf, type Question } from './request.ts';

/** A statement, and the passages that should support it. */
interface Claim {
  text: string;
  passage: string;
}

/** A request about some of the claims, by their positions. */
interface SupportRequest {
  positions: number[];
  request: DecisionRequest;
}

const input = caseOf('Statements of an answer, each with a passage that it cites.');
const criteria = new Map([
  ['true', 'The passage says it, or it follows from the passage.'],
  ['false', 'The passage does not say it, says less, or says something else.'],
]);

/** A model's own tokenizer may make more tokens of a text than ours. */
const contextShare = 0.6;

/**
 * As few requests as the model's context allows, each with as many questions as a decision may have. No request has
 * a claim that is too long for the context.
 */
export async function supportRequests(model: Model, claims: readonly Claim[]): Promise<SupportRequest[]> {
  const room = contextTokens(model) * contextShare;
  const requests: SupportRequest[] = [];
  let used = 0;
  for (const [position, claim] of claims.entries()) {
    const question = supportQuestion(`claim_${position + 1}`, claim);
    const alone = { input, questions: [question] };
    if (!fitsByBytes(alone, room)) continue;
    const tokens = await countOf(alone);
    if (tokens + tokensBefore > room) continue;
    const last = requests.at(-1);
    if (last && last.positions.length < limits.decisionQuestions && used + tokens <= room) {
      last.positions.push(position);
      last.request.questions.push(question);
      used += tokens;
    } else {
      requests.push({ positions: [position], request: alone });
      used = tokensBefore + tokens;
    }
  }
  return requests;
}

function supportQuestion(id: string, { text, passage }: Claim): Question {
  const asked = new Map<string, OrderedJson>([
    ['question', 'Does the passage support the statement?'],
    ['passage', passage],
    ['statement', text],
  ]);
  const options = [...criteria].map(([key, description]) => ({ key, description }));
  return { id, type: 'noul', instructions: [partOf(asked)], options };
}

/** The most bytes of a token. Texts with more bytes than all tokens of the room could have are refused without a count. */
const longestTokenBytes = 128;

const fitsByBytes = (request: DecisionRequest, room: number): boolean =>
  textsOf(request).reduce((sum, text) => sum + Buffer.byteLength(text), 0) <= room * longestTokenBytes;

/** Tokens of the prompt before the first question. */
const tokensBefore = tokensAround([]);

const countOf = async (request: DecisionRequest): Promise<number> =>
  (await countTokens(textsOf(request).join('\n'))) + tokensAround(request.questions) - tokensBefore;
