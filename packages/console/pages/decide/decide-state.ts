import type { Decision, DecisionRequest } from '@errand/client';
import { type Signal, signal } from '@preact/signals';
import { type Action, createAction } from '../../session/action.ts';
import { balance } from '../../session/balance.ts';
import { perKey } from '../../session/per-key.ts';
import { errand } from '../../session/session.ts';
import { type DraftQuestion, fromRequest, newQuestion, toRequest } from './questions.ts';

export interface DecideState {
  form: Signal<'form' | 'json'>;
  model: Signal<string>;
  state: Signal<string>;
  questions: Signal<readonly DraftQuestion[]>;
  json: Signal<string>;
  /** Why the JSON cannot be shown as a form, or the form not be sent. */
  problem: Signal<string>;
  deciding: Action;
  /** The last answer with what was asked. */
  decided: Signal<{ request: DecisionRequest; decision: Decision } | undefined>;
  read(model: string): DecisionRequest;
  show(form: 'form' | 'json', model: string): void;
  decide(model: string): void;
}

export const decisions = perKey(createDecideState);

function createDecideState(): DecideState {
  const deciding = createAction();
  const state: DecideState = {
    form: signal('form'),
    model: signal(''),
    state: signal(''),
    questions: signal([newQuestion()]),
    json: signal(''),
    problem: signal(''),
    deciding,
    decided: signal(undefined),
    read: (model) =>
      state.form.value === 'json'
        ? parseRequest(state.json.value)
        : toRequest(model, state.state.value, state.questions.value),
    show: (form, model) => tell(state, () => change(state, form, model)),
    decide: (model) =>
      tell(state, () => {
        const request = state.read(model);
        void deciding.run(async () => {
          state.decided.value = { request, decision: await errand().decide(request) };
          void balance().load();
        });
      }),
  };
  return state;
}

function tell(state: DecideState, work: () => void): void {
  state.problem.value = '';
  try {
    work();
  } catch (error) {
    state.problem.value = error instanceof Error ? error.message : String(error);
  }
}

/** The same request in the other form. */
function change(state: DecideState, form: 'form' | 'json', model: string): void {
  if (form === state.form.value) return;
  if (form === 'json') {
    state.json.value = JSON.stringify(state.read(model), null, 2);
  } else {
    const request = parseRequest(state.json.value);
    const drafts = fromRequest(request);
    if (!drafts) throw new Error('The form has no place for all of this. It can be sent as JSON.');
    state.model.value = request.model;
    state.state.value = drafts.state;
    state.questions.value = drafts.questions;
  }
  state.form.value = form;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The request is no JSON: ${error instanceof Error ? error.message : error}`);
  }
}

function parseRequest(json: string): DecisionRequest {
  const value = readJson(json);
  if (
    typeof value !== 'object' ||
    value === null ||
    !('questions' in value) ||
    typeof value.questions !== 'object'
  )
    throw new Error('The request needs "model", "state" and "questions".');
  return value as DecisionRequest;
}
