import type { DecisionRequest } from '@errand/client';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import type { DecideState } from './decide-state.ts';

export function decideCall(state: DecideState, model: string, origin: string): ShownCall {
  const request = withExample(readOrNothing(state, model));
  return {
    curl: curlOf({ method: 'POST', path: '/v1/systemone', json: request }, origin),
    typescript: typescriptOf(
      origin,
      `const { answers } = await errand.decide(${literal(request)});`,
      'console.log(answers);',
    ),
  };
}

/** What is being written may be no request yet. */
function readOrNothing(state: DecideState, model: string): DecisionRequest {
  try {
    return state.read(model);
  } catch {
    return { model, state: '', questions: {} };
  }
}

const example = {
  state: 'The customer writes: my parcel has not come for nine days.',
  questions: { urgent: { type: 'noul', instructions: 'Does this need an answer today?' } },
} as const;

/** What is not written yet stands as an example, which the service takes. */
const withExample = ({ state, questions, ...request }: DecisionRequest): DecisionRequest => ({
  ...request,
  state: state === '' ? example.state : state,
  questions: isWritten(questions) ? questions : example.questions,
});

const isWritten = (questions: DecisionRequest['questions']): boolean =>
  Object.keys(questions).length > 0 &&
  Object.entries(questions).every(
    ([id, question]) => id !== '' && !(question.type === 'choice' && '' in question.criteria),
  );
