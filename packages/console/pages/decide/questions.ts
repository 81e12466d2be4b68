import type { DecisionRequest, Question } from '@errand/client';

/** A question as the form has it: all that any type of question may have, as text. */
export interface DraftQuestion {
  /** Tells drafts apart whose ids are being written. */
  key: number;
  id: string;
  type: Question['type'];
  instructions: string;
  /** Options of a choice with their descriptions, or levels of a score in `text`. */
  criteria: { name: string; text: string }[];
}

let keys = 0;

export const newQuestion = (more: Partial<DraftQuestion> = {}): DraftQuestion => ({
  key: ++keys,
  id: '',
  type: 'noul',
  instructions: '',
  criteria: [],
  ...more,
});

/** The request that the form stands for. Throws with words for the visitor where it stands for none. */
export function toRequest(
  model: string,
  state: string,
  questions: readonly DraftQuestion[],
): DecisionRequest {
  const ids = questions.map(({ id }) => id.trim());
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) throw new Error(`Two questions have the id "${twice}".`);
  return {
    model,
    state: readState(state),
    questions: Object.fromEntries(questions.map((question, i) => [ids[i]!, toQuestion(question)])),
  };
}

function toQuestion({ type, instructions, criteria }: DraftQuestion): Question {
  const asked = instructions.trim() ? { instructions: instructions.trim() } : {};
  const text = (each: string) => each.trim() || null;
  if (type === 'choice')
    return {
      type,
      ...asked,
      criteria: Object.fromEntries(criteria.map((each) => [each.name.trim(), text(each.text)])),
    };
  if (type === 'score') return { type, ...asked, criteria: criteria.map((each) => text(each.text)) };
  return { type, ...asked };
}

/** A state that is an object or a list goes as what it is, and any other text as text. */
function readState(text: string): DecisionRequest['state'] {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : text;
  } catch {
    return text;
  }
}

/** What the form shows of a request that was written as JSON. Undefined if the form has no place for all of it. */
export function fromRequest({
  state,
  questions,
}: DecisionRequest): { state: string; questions: DraftQuestion[] } | undefined {
  const drafts = Object.entries(questions).map(([id, question]) => fromQuestion(id, question));
  if (drafts.some((draft) => draft === undefined)) return undefined;
  return {
    state: typeof state === 'string' ? state : JSON.stringify(state, null, 2),
    questions: drafts as DraftQuestion[],
  };
}

function fromQuestion(id: string, question: Question): DraftQuestion | undefined {
  const { type, instructions } = question;
  const isPlain = (value: unknown) => value === undefined || value === null || typeof value === 'string';
  const described = question.type === 'noul' ? [] : Object.entries(question.criteria);
  const forked = question.type === 'noul' && Object.keys(question.criteria ?? {}).length > 0;
  if (forked || !isPlain(instructions) || !described.every(([, text]) => isPlain(text))) return undefined;
  const criteria = described.map(([name, text]) => ({ name, text: (text as string | null) ?? '' }));
  return newQuestion({ id, type, instructions: (instructions as string | null | undefined) ?? '', criteria });
}
