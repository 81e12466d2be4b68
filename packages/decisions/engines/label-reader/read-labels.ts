import { type LabelReader, type Model, type ModelUpstream, UpstreamError } from '@errand/models';
import { DomainError, limits } from '@errand/platform';
import { calibrate } from '../../probabilities.ts';
import type { DecisionRequest } from '../../request.ts';
import { askUpstreams } from '../ask.ts';
import type { Asking, Engine, LabelReading } from '../engine.ts';
import { readPromptSlots, topTokens } from '../prompt-logprobs.ts';
import { readTokenIdSlots } from '../token-ids-logprob.ts';
import { layOut } from './lay-out.ts';
import type { ReadSlots, Slot } from './slot.ts';

/** The ways to ask a server for the probabilities of labels. */
const ways: Record<LabelReader, ReadSlots> = {
  prompt_logprobs: readPromptSlots,
  token_ids_logprob: readTokenIdSlots,
};

interface SlotReading extends LabelReading {
  probabilities: number[];
}

/** vLLM writes this number in place of the logarithm of zero. */
const logprobOfZero = -9_999;
const rounding = 1e-3;

/**
 * Reads the probabilities of the labels at the slots of an answer sheet. Logs `labelMass`. Where it is under the model's floor, the
 * labels say nothing of what the model thinks: the answer is unreadable.
 */
export const readLabels: Engine = async (deps, model, request, asking) => {
  const read = async (upstream: ModelUpstream, trial: Asking) => {
    const layout = await layOut(model, upstream, request, trial.signal);
    const startedAt = deps.clock();
    const slots = await ways[wayOf(model, upstream)](upstream, layout, trial);
    const inferenceMilliseconds = deps.clock() - startedAt;
    const readings = request.questions.map((question, index) =>
      readSlot(slots[index], layout.labels.slice(0, question.options.length), (logprobs) =>
        calibrate(question, logprobs, model.calibration),
      ),
    );
    return { readings, inputTokens: layout.ids.length, inferenceMilliseconds };
  };
  const { readings, ...work } = await askUpstreams(deps, preferExact(model, request), asking, read);
  deps.log.info('decision labels read', {
    model: model.id,
    labelMass: readings.map(({ labelMass }) => Number(labelMass.toPrecision(3))),
    labelsOmitted: readings.reduce((sum, { labelsOmitted }) => sum + labelsOmitted, 0),
  });
  const { minLabelMass = limits.leastLabelMass } = model;
  if (readings.some(({ labelMass }) => labelMass < minLabelMass)) {
    deps.log.warn('decision labels have too little mass', { model: model.id, minLabelMass });
    throw new DomainError('unreadable_answer');
  }
  return {
    ...work,
    probabilities: readings.map(({ probabilities }) => probabilities),
    labels: readings.map(({ labelMass, labelsOmitted }) => ({ labelMass, labelsOmitted })),
  };
};

const wayOf = (model: Model, upstream: ModelUpstream): LabelReader =>
  upstream.engine ?? (model.engine as LabelReader);

/** With more options than vLLM tells of, upstreams that tell of every label are asked first. */
function preferExact(model: Model, { questions }: DecisionRequest): Model {
  if (questions.every(({ options }) => options.length <= topTokens)) return model;
  const isExact = (upstream: ModelUpstream) => wayOf(model, upstream) === 'token_ids_logprob';
  const [upstream = model.upstream, ...fallbacks] = [model.upstream, ...model.fallbacks].sort(
    (one, other) => Number(isExact(other)) - Number(isExact(one)),
  );
  return { ...model, upstream, fallbacks };
}

/**
 * The probabilities of a question's labels, calibrated and normalised to sum to 1. A label that the server left out gets the most it
 * can have: the probability of the least likely token returned or, if that is less, an equal share of the remaining
 * mass. Throws `UpstreamError` `unreadable` for a number that is not a logprob, and if no label was returned.
 */
function readSlot(
  slot: Slot | undefined,
  labels: readonly number[],
  toProbabilities: (logprobs: readonly number[]) => number[],
): SlotReading {
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
  return { probabilities: toProbabilities(logprobs), labelMass: Math.min(1, labelMass), labelsOmitted };
}
