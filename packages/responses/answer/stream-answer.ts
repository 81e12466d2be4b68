import type { StreamAnswer } from '@errand/chat';
import type { Envelope } from '@errand/platform';
import { endingOf, failedWith, itemStatusOf } from './ending.ts';
import type { Emit } from './items.ts';
import { type Choice, createOutput } from './output.ts';
import {
  type Finish,
  type Frame,
  inProgress,
  type ResponseObject,
  responseObject,
} from './response-object.ts';

/** Writes events, numbered from 0, and keeps the text of those after `after` until it is taken. */
export function createEvents(after = -1): { emit: Emit; take(): string } {
  let text = '';
  let sequence_number = 0;
  return {
    emit(type, fields) {
      if (sequence_number > after) {
        const data = JSON.stringify({ type, sequence_number, ...fields });
        text += `event: ${type}\ndata: ${data}\n\n`;
      }
      sequence_number++;
    },
    take() {
      const taken = text;
      text = '';
      return taken;
    },
  };
}

const emitBeginning = (emit: Emit, frame: Frame): void => {
  const response = responseObject(frame, { output: [], ending: inProgress });
  emit('response.created', { response });
  emit('response.in_progress', { response });
};

/** A chat completion's chunks as the events of a response. */
export function streamAnswer(frame: Frame, finish: Finish): StreamAnswer {
  const { emit, take } = createEvents();
  const output = createOutput(frame, emit);
  let isBegun = false;
  const begin = () => {
    if (!isBegun) emitBeginning(emit, frame);
    isBegun = true;
  };
  return {
    keepsEmptyChunks: true,
    write({ choices }) {
      begin();
      for (const choice of choices as (Choice | null)[])
        if (choice && (choice.index ?? 0) === 0) output.add(choice);
      return take();
    },
    async end({ relayed, failure, tokens, impact }) {
      begin();
      const ending = failure ? failedWith(failure) : endingOf(relayed.finished?.finish_reason);
      output.close(itemStatusOf(ending));
      const costs = { tokens, impact };
      emitEnd(emit, await finish(responseObject(frame, { output: output.items, ending, costs })));
      return take();
    },
  };
}

const emitEnd = (emit: Emit, response: ResponseObject): void =>
  emit(`response.${response.status}`, { response });

/** The events of a response of which nothing was written. It is not kept. */
export function refusedStream(frame: Frame, envelope: Envelope): string {
  const { emit, take } = createEvents();
  emitBeginning(emit, frame);
  const response = responseObject(frame, { output: [], ending: failedWith(envelope) });
  emitEnd(emit, { ...response, store: false });
  return take();
}
