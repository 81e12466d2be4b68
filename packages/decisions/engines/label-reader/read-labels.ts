import { type ModelUpstream, UpstreamError } from '@errand/models';
import { probabilitiesAt } from '../../probabilities.ts';
import { askUpstreams } from '../ask.ts';
import type { Asking, Engine } from '../engine.ts';
import { type Layout, layOut } from './lay-out.ts';

/** The probabilities of tokens at one slot, as a server returned them. */
export interface Slot {
  /** The natural logarithm of each token's probability, by token id. */
  logprobs: ReadonlyMap<number, number>;
  /**
   * Bounds for tokens that the server left out, if it returns only the likeliest: none of them has a higher logprob,
   * and together they have the probability `mass`.
   */
  omitted?: { highestLogprob: number; mass: number };
}

/** Asks the model once, and returns one slot per question. The server generates as few tokens as it can. */
export type ReadSlots = (upstream: ModelUpstream, layout: Layout, asking: Asking) => Promise<Slot[]>;

interface SlotReading {
  probabilities: number[];
  /** The probability of all labels together. It is low if the model would rather write something else. */
  labelMass: number;
  /** The number of labels that the server left out. */
  labelsOmitted: number;
}

/** vLLM writes this number in place of the logarithm of zero. */
const logprobOfZero = -9_999;
const rounding = 1e-3;

/** Makes an engine that reads the probabilities of the labels at the slots of an answer sheet. Logs `labelMass`. */
export const labelReader =
  (readSlots: ReadSlots): Engine =>
  async (deps, model, request, asking) => {
    const read = async (upstream: ModelUpstream, trial: Asking) => {
      const layout = await layOut(model, upstream, request, trial.signal);
      const startedAt = deps.clock();
      const slots = await readSlots(upstream, layout, trial);
      const inferenceMilliseconds = deps.clock() - startedAt;
      const readings = request.questions.map(({ options }, index) =>
        readSlot(slots[index], layout.labels.slice(0, options.length), model.calibration?.temperature),
      );
      return { readings, inputTokens: layout.ids.length, inferenceMilliseconds };
    };
    const { readings, ...work } = await askUpstreams(deps, model, asking, read);
    deps.log.info('decision labels read', {
      model: model.id,
      labelMass: readings.map(({ labelMass }) => Number(labelMass.toPrecision(3))),
      labelsOmitted: readings.reduce((sum, { labelsOmitted }) => sum + labelsOmitted, 0),
    });
    return { ...work, probabilities: readings.map(({ probabilities }) => probabilities) };
  };

/**
 * The probabilities of a question's labels at a temperature, normalised to sum to 1. A label that the server left out gets the most it
 * can have: the probability of the least likely token returned or, if that is less, an equal share of the remaining
 * mass. Throws `UpstreamError` `unreadable` for a number that is not a logprob, and if no label was returned.
 */
function readSlot(slot: Slot | undefined, labels: readonly number[], temperature?: number): SlotReading {
  if (!slot) throw new UpstreamError('unreadable');
  const returned = labels.flatMap((id) => slot.logprobs.get(id) ?? []);
  const labelMass = returned.reduce((sum, logprob) => sum + Math.exp(logprob), 0);
  const labelsOmitted = labels.length - returned.length;
  const readable = returned.every((logprob) => Number.isFinite(logprob) && logprob <= rounding);
  const isAnyPossible = returned.some((logprob) => logprob > logprobOfZero);
  if (!readable || !isAnyPossible || labelMass > 1 + rounding || (labelsOmitted > 0 && !slot.omitted))
    throw new UpstreamError('unreadable');
  const bound = slot.omitted
    ? Math.min(slot.omitted.highestLogprob, Math.log(Math.max(0, slot.omitted.mass) / labelsOmitted))
    : Number.NEGATIVE_INFINITY;
  const logprobs = labels.map((id) => slot.logprobs.get(id) ?? bound);
  return { probabilities: probabilitiesAt(logprobs, temperature), labelMass, labelsOmitted };
}
