import type { DecisionRequest } from '@errand/client';
import { curlOf } from '../../calls/curl.ts';
import type { ShownCall } from '../../calls/shown-call.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import type { DecideState } from './decide-state.ts';

export function decideCall(state: DecideState, model: string, origin: string): ShownCall {
  const request = readOrNothing(state, model);
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
