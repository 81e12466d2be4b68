import type { BasisField, Citation } from '@errand/agent';
import type { RunView } from './wire.ts';

/** Where the facts of a run's value are from. */
export interface Basis {
  fields: readonly BasisField[];
  /** The pointers of those whose support is under the threshold. */
  unsupported?: readonly string[];
}

/** The value of a run that has one. Its facts have the citations that begin where they begin in the result. */
export function viewValue(
  { basis, result }: { basis?: string; result?: string },
  citations: readonly Citation[] = [],
): Pick<RunView, 'basis' | 'unsupported' | 'output'> {
  if (basis === undefined || result === undefined) return {};
  const { fields, unsupported } = JSON.parse(basis) as Basis;
  const citedAt = Map.groupBy(citations, ({ startIndex }) => startIndex);
  return {
    basis: fields.map(({ pointer, startIndex, support }) => ({
      pointer,
      citations: citedAt.get(startIndex) ?? [],
      support,
    })),
    unsupported: unsupported && [...unsupported],
    output: JSON.parse(result) as RunView['output'],
  };
}

/** The run as JSON. Its value stands there as the run's result does: an object of JavaScript moves keys such as "10" to its front. */
export function writeView({ output, ...run }: RunView): string {
  const json = JSON.stringify(run);
  return output === undefined ? json : `${json.slice(0, -1)},"output":${run.result}}`;
}
