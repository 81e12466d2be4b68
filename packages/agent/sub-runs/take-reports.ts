import { answerCall } from '../answer-call.ts';
import { contextCharacters, contextLeft, density } from '../context/size.ts';
import type { FoundSource, SubRun } from '../data.ts';
import type { AgentDeps, SubRunEnd, SubRuns } from '../deps.ts';
import { guardedWithEnds } from '../outside/guarded.ts';
import { keptNames } from '../reading/kept-material.ts';
import type { Acting, Progress } from '../state.ts';
import { type Investigation, subRunsOf } from './plan-sub-runs.ts';
import { nameOfSource, type Report, reportOf, reportsAnswer } from './word-reports.ts';

/** The largest share of the context for the reports of a call, as for one result of any tool. */
const reportsShare = 0.35;

/** Answers an investigation whose sub-runs are over. What they have not used of what was lent to them comes back. */
export async function takeReports(
  deps: AgentDeps & { subRuns: SubRuns },
  given: Acting,
  { prepared: { call }, questions }: Investigation,
  { key, ends, signal }: { key: string; ends: ReadonlyMap<string, SubRunEnd>; signal: AbortSignal },
): Promise<Progress & { state: Acting }> {
  const runs = subRunsOf(given, key);
  const told = density([...ends.values()].map(({ text }) => text).join());
  const characters = (contextCharacters(contextLeft(deps)) * reportsShare) / told;
  const room = Math.floor(characters / questions.length);
  const reports = questions.map((question, i) => {
    const run = runs[i];
    return reportOf({ question, problem: run?.problem, end: run && ends.get(run.runId) }, room);
  });
  const sources = await takeOver(deps, given, { reports, runs }, signal);
  const taken = await Promise.all(runs.map((run) => takenUp(deps, run, ends.get(run.runId))));
  const state = withEnds(given, taken, [...ends.values()]);
  return answerCall(deps, state, call, reportsAnswer(reports, sources));
}

async function takenUp({ subRuns }: { subRuns: SubRuns }, run: SubRun, end: SubRunEnd | undefined) {
  // One that still ends may still use what was lent to it.
  if (!end) return run;
  const { used } = end;
  if (run.capNanoEuro !== undefined) await subRuns.takeBack(run.capNanoEuro, used.amountNanoEuro);
  return { ...run, status: 'over' as const, used };
}

function withEnds(state: Acting, taken: readonly SubRun[], ends: readonly SubRunEnd[]): Acting {
  const subRuns = state.subRuns?.map((run) => taken.find(({ runId }) => runId === run.runId) ?? run);
  return { ...state, subRuns, ...guardedWithEnds(state, ends) };
}

/**
 * The sources that the reports cite, for the run: it keeps what they read, beside what it has read itself. Of a source that it has read too, or
 * that an earlier report has brought, it keeps its own.
 */
async function takeOver(
  { subRuns }: { subRuns: SubRuns },
  { sources }: Acting,
  { reports, runs }: { reports: readonly Report[]; runs: readonly SubRun[] },
  signal: AbortSignal,
): Promise<FoundSource[]> {
  const read = new Set(sources.flatMap((source) => (source.material ? nameOfSource(source) : [])));
  const found: FoundSource[] = [];
  for (const [i, { cited }] of reports.entries()) {
    const runId = runs[i]?.runId ?? '';
    const rename = (material: string) => `${runId.slice(0, 13)}-${material}`;
    const fresh = cited.filter((source) => source.material && !read.has(nameOfSource(source)));
    const gone = await subRuns.copy(runId, fresh.flatMap(keptNames), rename, signal);
    for (const { number: _, ...source } of cited) {
      const isFresh = fresh.some(({ url, filename }) => url === source.url && filename === source.filename);
      if (source.material === undefined) found.push(source);
      else if (!isFresh || gone.includes(source.material)) found.push(withoutMaterial(source));
      else found.push({ ...source, material: rename(source.material) });
      if (source.material) read.add(nameOfSource(source));
    }
  }
  return found;
}

/** Changes nothing of a source that the run knows. */
const withoutMaterial = ({ url, filename, title, snippet }: FoundSource): FoundSource => ({
  kind: 'result',
  url,
  filename,
  title,
  snippet,
});
