import { type ModelUpstream, UpstreamError } from '@errand/models';
import { fromLogarithms } from '../../probabilities.ts';
import { askUpstreams } from '../ask.ts';
import type { Engine } from '../engine.ts';
import { type Layout, layOut } from './lay-out.ts';

/** What a server says of one slot. */
export interface Slot {
  /** Token id to the logarithm of its probability there. */
  logarithms: ReadonlyMap<number, number>;
  /** From a server that tells only the likeliest tokens: the least of those, and what all told leave over. */
  untold?: { highestLogarithm: number; mass: number };
}

/** Asks the model once, for the least generation that the server allows. */
export type ReadSlots = (upstream: ModelUpstream, layout: Layout, signal: AbortSignal) => Promise<Slot[]>;

export interface SlotReading {
  probabilities: number[];
  /** What the labels have together among all tokens: little, if the model wants to say something else. */
  labelMass: number;
  labelsUntold: number;
}

/** What vLLM writes for the logarithm of zero. */
const logarithmOfZero = -9_999;
const rounding = 1e-3;

/** Reads the labels' probabilities in the slots of an answer sheet; what they have together goes to the log. */
export const labelReader =
  (readSlots: ReadSlots): Engine =>
  async (deps, model, request, signal) => {
    const read = async (upstream: ModelUpstream) => {
      const layout = await layOut(model, upstream, request, signal);
      const startedAt = deps.clock();
      const slots = await readSlots(upstream, layout, signal);
      const inferenceMilliseconds = deps.clock() - startedAt;
      const readings = request.questions.map(({ options }, index) =>
        readLabels(slots[index], layout.labels.slice(0, options.length)),
      );
      return { readings, inputTokens: layout.ids.length, inferenceMilliseconds };
    };
    const { readings, ...work } = await askUpstreams(deps, model, signal, read);
    deps.log.info('decision labels read', {
      model: model.id,
      labelMass: readings.map(({ labelMass }) => Number(labelMass.toPrecision(3))),
      labelsUntold: readings.reduce((sum, { labelsUntold }) => sum + labelsUntold, 0),
    });
    return { ...work, probabilities: readings.map(({ probabilities }) => probabilities) };
  };

/**
 * Normalised over the question's labels. A label that the server did not tell gets the most that it may have: as much
 * as the least likely token told, or an equal share of what all told leave over, whichever is less.
 * `UpstreamError` `unreadable` for what is no logarithm of a probability, and where no label was told.
 */
export function readLabels(slot: Slot | undefined, labels: readonly number[]): SlotReading {
  if (!slot) throw new UpstreamError('unreadable');
  const told = labels.flatMap((id) => slot.logarithms.get(id) ?? []);
  const labelMass = told.reduce((sum, logarithm) => sum + Math.exp(logarithm), 0);
  const labelsUntold = labels.length - told.length;
  const readable = told.every((logarithm) => Number.isFinite(logarithm) && logarithm <= rounding);
  const some = told.some((logarithm) => logarithm > logarithmOfZero);
  if (!readable || !some || labelMass > 1 + rounding || (labelsUntold > 0 && !slot.untold))
    throw new UpstreamError('unreadable');
  const bound = slot.untold
    ? Math.min(slot.untold.highestLogarithm, Math.log(Math.max(0, slot.untold.mass) / labelsUntold))
    : Number.NEGATIVE_INFINITY;
  const logarithms = labels.map((id) => slot.logarithms.get(id) ?? bound);
  return { probabilities: fromLogarithms(logarithms), labelMass, labelsUntold };
}
