import { limits, runInThread, type ThreadError, threadProgram } from '@errand/platform';
import type { PackedPassages } from './passage.ts';
import type { PassagesTask } from './passages-worker.ts';
import type { Finding, Found, Reading, Shown } from './reading.ts';

const threadLimits = {
  timeoutMilliseconds: limits.passagesMilliseconds,
  memoryMegabytes: limits.passagesMegabytes,
  outsideMegabytes: limits.passagesOutsideMegabytes,
};
const program = threadProgram(import.meta.url, 'passages-worker');

interface Deps {
  /** The account that takes its turn at the threads. */
  owner?: string;
}

/** Shows what fits of a material, in a thread. The bytes stay with the caller. Throws `ThreadError`, or the signal's reason. */
export const readPassages = (
  deps: Deps,
  packed: PackedPassages,
  reading: Reading,
  signal?: AbortSignal,
): Promise<Shown> => work(deps, { bytes: new Uint8Array(packed), reading }, signal);

/** Finds passages about claims, in a thread. The bytes stay with the caller. Throws `ThreadError`, or the signal's reason. */
export const findPassages = (
  deps: Deps,
  packed: PackedPassages,
  finding: Finding,
  signal?: AbortSignal,
): Promise<Found> => work(deps, { bytes: new Uint8Array(packed), ...finding }, signal);

/**
 * In a thread: the texts of all passages, each under its headings; undefined if there are more than `most`. The bytes stay
 * with the caller. Throws `ThreadError`, or the signal's reason.
 */
export const textsOfPassages = (
  deps: Deps,
  packed: PackedPassages,
  mostTexts: number,
  signal?: AbortSignal,
): Promise<string[] | undefined> => work(deps, { bytes: new Uint8Array(packed), mostTexts }, signal);

const work = <Answer>(
  { owner }: Deps,
  task: PassagesTask,
  signal: AbortSignal | undefined,
): Promise<Answer> => runInThread(program, task, { ...threadLimits, owner }, signal);

/** Why a material could not be searched, as a sentence for whoever asked. */
export const describeThreadError = ({ code }: ThreadError): string => reasons[code];

const reasons: Record<ThreadError['code'], string> = {
  timeout: `The material could not be searched within ${limits.passagesMilliseconds / 1000} seconds.`,
  memory: 'The material needs more memory than a search may use.',
  crash: 'The search of the material broke off.',
};
