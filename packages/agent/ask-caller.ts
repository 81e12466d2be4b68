import type { ToolCall } from '@errand/models';
import { sha256Hex } from '@errand/platform';
import type { PreparedCall } from './call.ts';
import type { AskedCall, ExpectedField } from './data.ts';
import type { AgentDeps, Approving } from './deps.ts';
import { isAnswered } from './offered-tools.ts';
import { type Acting, conversationOf, ended, type Progress } from './state.ts';
import type { InputRequest, Tool } from './tool.ts';

/** What is approved is a call with this digest, and no other. */
export const digestOf = ({ function: { name, arguments: json } }: ToolCall): string =>
  sha256Hex(`${name}\n${json}`);

const isNamed = (names: readonly string[], { name }: Tool): boolean =>
  names.some((known) => known === name || (known.endsWith('__*') && name.startsWith(known.slice(0, -1))));

/** Undefined for a tool of ours. */
const serverOf = (name: string): string | undefined => /^(.+?)__/.exec(name)?.[1];

/** Whether this tool may be meant by a name that its server does not have: one that is misspelt, or gone. */
const isMeant = (names: readonly string[], tools: readonly Tool[], { name, readsOnly }: Tool): boolean =>
  !readsOnly &&
  names.some(
    (known) =>
      !known.endsWith('__*') &&
      serverOf(known) !== undefined &&
      serverOf(known) === serverOf(name) &&
      !tools.some((tool) => tool.name === known),
  );

/** A name of one tool says more than `server__*`. */
export function needsApproval(
  { names, except, writes }: Omit<Approving, 'judge'>,
  tools: readonly Tool[],
  tool: Tool,
): boolean {
  if (except.includes(tool.name)) return false;
  if (names.includes(tool.name) || isMeant(names, tools, tool)) return true;
  return !isNamed(except, tool) && ((writes && !tool.readsOnly) || isNamed(names, tool));
}

type Asks = AskedCall['type'];

/** What the caller has to do for a call that can be made. Undefined if nothing. */
function asksOf({ approving, tools }: AgentDeps, state: Acting, prepared: PreparedCall): Asks | undefined {
  if (!('tool' in prepared)) return undefined;
  const { tool, call } = prepared;
  if (tool.isCallers) return 'function';
  if (!approving || !needsApproval(approving, tools, tool)) return undefined;
  if (state.approved?.includes(digestOf(call))) return undefined;
  const probability = state.judged?.[call.id];
  const isAskedFor = probability !== undefined && probability >= (approving.judge?.threshold ?? 1);
  return isAskedFor ? undefined : 'approval';
}

/** The calls about which the caller is asked. In `checked`, those that come too late to ask about have a problem. */
export function askedOf(
  deps: AgentDeps,
  state: Acting,
  prepared: readonly PreparedCall[],
): { asked: AskedCall[]; checked: PreparedCall[] } {
  const asked: AskedCall[] = [];
  const checked = prepared.map((each): PreparedCall => {
    const type = asksOf(deps, state, each);
    if (!type) return each;
    const { call } = each;
    if (isAnswered(state)) return { call, problem: tooLate };
    const { id } = call;
    const { name, arguments: json } = call.function;
    asked.push({ id, type, name, arguments: json, digest: digestOf(call), probability: state.judged?.[id] });
    return each;
  });
  return { asked, checked };
}

const tooLate =
  'Error: There is an answer, so the caller is asked for nothing. Say in the answer what is still to be done.';

/** The calls that need approval, which a decision model has still to judge. */
export function toJudge(deps: AgentDeps, state: Acting, prepared: readonly PreparedCall[]): ToolCall[] {
  if (!deps.approving?.judge || isAnswered(state)) return [];
  return prepared.flatMap((each) =>
    asksOf(deps, state, each) === 'approval' && state.judged?.[each.call.id] === undefined ? [each.call] : [],
  );
}

/**
 * Has the calls that need approval judged, where a decision model may approve them. Each pass is a piece of its own, so that nothing
 * that was paid for is lost. A call that the model could not judge has the probability 0.
 */
export async function* judgeCalls(
  deps: AgentDeps,
  question: string,
  given: Acting,
  prepared: readonly PreparedCall[],
  signal: AbortSignal,
): AsyncGenerator<Progress, Acting> {
  const judge = deps.approving?.judge;
  const unknown = toJudge(deps, given, prepared);
  if (!judge || unknown.length === 0) return given;
  let state = given;
  const claims = unknown.map((call) => ({ text: statementOf(call), passage: question }));
  for await (const { positions, supports, cost } of judge.check(claims, signal)) {
    // Each pass leaves more that is judged, so that its charge has an id of its own.
    const found = positions.map((position) => [unknown[position]!.id, supports.get(position) ?? 0] as const);
    const judged = Object.keys(state.judged ?? {}).length;
    const costs = await deps.calls.toCosts(state, `approval-${state.completions}-${judged}`, [
      { ...cost, probability: supports.size > 0 ? Math.min(...supports.values()) : undefined },
    ]);
    state = { ...state, judged: { ...state.judged, ...Object.fromEntries(found) } };
    yield { events: [], costs, state };
  }
  const unjudged = unknown.filter(({ id }) => state.judged?.[id] === undefined).map(({ id }) => [id, 0]);
  return { ...state, judged: { ...Object.fromEntries(unjudged), ...state.judged } };
}

const statementOf = ({ function: { name, arguments: json } }: ToolCall): string =>
  `The question asks for this call of the tool ${name}, with these arguments: ${json}`;

/** Ends the run with what it asks of its caller. The calls of the state have no answer. */
export function askCaller(
  state: Acting,
  { asked, request }: { asked: readonly AskedCall[]; request?: InputRequest },
): Progress {
  const functions = asked.filter(({ type }) => type === 'function');
  const approvals = asked.filter(({ type }) => type === 'approval');
  const message = [
    request?.message,
    functions.length > 0 && `The run needs the results of these functions: ${namesOf(functions)}.`,
    approvals.length > 0 && `The run needs your approval for these calls: ${namesOf(approvals)}.`,
  ];
  const expected: ExpectedField[] = [...(request?.expected ?? [])];
  if (functions.length > 0)
    expected.push({ name: 'functionResults', description: 'A result or an error for each call in `calls`.' });
  if (approvals.length > 0)
    expected.push({ name: 'approvals', description: 'Whether each call in `calls` may be made.' });
  return {
    events: [
      { type: 'step_complete', step: state.step },
      {
        type: 'input_required',
        message: message.filter(Boolean).join(' '),
        expected,
        ...(asked.length > 0 && { calls: [...asked] }),
      },
    ],
    costs: [],
    state: ended(state, { conversation: conversationOf(state), calls: state.calls, asked: [...asked] }),
  };
}

const namesOf = (calls: readonly AskedCall[]): string =>
  [...new Set(calls.map(({ name }) => name))].join(', ');
