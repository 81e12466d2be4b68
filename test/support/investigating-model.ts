import type { Answer, ChatRequest, ScriptedAnswer } from './model-server.ts';

const saidBy = ({ messages }: ChatRequest, role: string) =>
  messages.find((message) => message.role === role)?.content;

/** The question that a run's model is asked first. */
export const questionOf = (request: ChatRequest): string => String(saidBy(request, 'user'));

/** Whether the model works on a question of another run. */
export const isSubRun = (request: ChatRequest): boolean =>
  String(saidBy(request, 'system')).startsWith('You work on one part');

export const investigate = (...questions: string[]): Answer => ({
  calls: [{ name: 'investigate', args: { questions } }],
});

export const confirmed: Answer = { calls: [{ name: 'confirm_answer', args: {} }] };

/** How many turns the model has had, by its conversation alone: a turn that is asked for twice is the same. */
export const turnOf = ({ messages }: ChatRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length;

/** Gives these answers turn by turn, then confirms. */
export const byTurn =
  (...answers: ScriptedAnswer[]) =>
  (request: ChatRequest): ScriptedAnswer =>
    answers[turnOf(request)] ?? confirmed;
