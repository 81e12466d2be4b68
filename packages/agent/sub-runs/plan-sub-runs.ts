import { limits } from '@errand/platform';
import type { PreparedCall } from '../call.ts';
import type { SubRun } from '../data.ts';
import type { AgentDeps } from '../deps.ts';
import type { Acting } from '../state.ts';
import { investigateName } from '../tools/investigate.ts';

/** A call that has questions worked on by sub-runs. */
export interface Investigation {
  prepared: PreparedCall;
  questions: readonly string[];
}

/** Undefined for another call, and for one that cannot be made. */
export function investigationOf(
  { subRuns }: Pick<AgentDeps, 'subRuns'>,
  prepared: PreparedCall,
): Investigation | undefined {
  if (!subRuns || !('tool' in prepared) || prepared.tool.name !== investigateName) return undefined;
  const { questions } = prepared.args as { questions: string[] };
  return { prepared, questions };
}

/** The keys of the investigations of a turn, which stay the same whoever goes on with it. */
export const keysOf = (
  { step, completions }: Acting,
  investigations: readonly Investigation[],
  answeredBefore: number,
): string[] => investigations.map((_, i) => [step, completions, answeredBefore + i].join('-'));

export const subRunsOf = ({ subRuns = [] }: Pick<Acting, 'subRuns'>, key: string): SubRun[] =>
  subRuns.filter(({ call }) => call === key);

const tooMany = `There are ${limits.subRunsPerRun} sub-runs in a run at most. Go on with what there is.`;
const tooManyAtOnce = `At most ${limits.subRunsAtOnce} are worked on at once. Call investigate again with this question.`;
const tooPoor = 'What is left of the credits of this run does not pay for it. Answer with what there is.';

/**
 * The state with the sub-runs of the calls that are not planned yet, each with its part of what the run may still cost. To be committed before
 * they are started: what is lent to them is not spent twice, whoever goes on with the run.
 */
export async function planSubRuns(
  { subRuns: runner }: AgentDeps,
  state: Acting,
  planned: readonly { key: string; questions: readonly string[] }[],
): Promise<Acting> {
  const wanted = planned.filter(({ key }) => subRunsOf(state, key).length === 0);
  if (!runner || wanted.length === 0) return state;
  const before = state.subRuns ?? [];
  let inRun = before.filter(({ problem }) => problem === undefined).length;
  let atOnce = before.filter(({ status }) => status !== 'over').length;
  const added = wanted.flatMap(({ key, questions }) =>
    questions.map((_, i): SubRun => {
      const problem =
        inRun >= limits.subRunsPerRun ? tooMany : atOnce >= limits.subRunsAtOnce ? tooManyAtOnce : undefined;
      if (problem === undefined) {
        inRun++;
        atOnce++;
      }
      return { call: key, runId: runner.idOf(key, i), status: problem ? 'over' : 'planned', problem };
    }),
  );
  const { length } = added.filter(({ status }) => status === 'planned');
  const capNanoEuro = length > 0 ? await runner.lend(length) : undefined;
  const isPoor = capNanoEuro === 0;
  const lent = added.map((run): SubRun => {
    if (run.status !== 'planned') return run;
    return isPoor ? { ...run, status: 'over', problem: tooPoor } : { ...run, capNanoEuro };
  });
  return { ...state, subRuns: [...before, ...lent] };
}
