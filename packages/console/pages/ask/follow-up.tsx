import type { Run, RunEvent } from '@errand/client';
import { useMemo } from 'preact/hooks';
import type { FollowedRun } from '../../run/followed-run.ts';
import { ownFields } from '../../run/own-fields.ts';
import { go, route } from '../../shell/route.ts';
import { AskForm } from './ask-form.tsx';
import { type AskState, createAskState, type Settings, sentSettings } from './ask-state.ts';

/** What the visitor asks further of a run that is over, or answers it. */
export function FollowUp({ followed }: { followed: FollowedRun }) {
  const run = followed.run.value;
  const last = followed.events.value.at(-1);
  return followed.ended.value && run && last ? <Form run={run} last={last} /> : null;
}

function Form({ run, last }: { run: Run; last: RunEvent }) {
  const state = useMemo(() => createFollowUp(run, last), [run.agentId]);
  // A visitor who has gone to another page meanwhile finds the run in the list.
  const show = (agentId: string) => {
    if (route.peek().id === run.agentId) go(route.peek().page, agentId);
  };
  return <AskForm state={state} started={show} />;
}

/** A question with the settings of the run before. Where those are not known, a run that asked before it wrote does so again. */
function createFollowUp({ agentId, model = '', effort }: Run, last: RunEvent): AskState {
  const { expected = [], calls = [] } = last.type === 'input_required' ? last : {};
  const state = createAskState({
    ...{ agentId, calls, asks: last.type === 'input_required' },
    takesWords: calls.length === 0 || ownFields(expected).length > 0,
    canGoOn: calls.length > 0 || last.type === 'error',
  });
  const asksFirst = calls.some(({ type }) => type === 'approval');
  const before: Partial<Settings> = sentSettings().get(agentId) ?? {
    ...{ model, effort: effort ?? '' },
    approve: asksFirst ? 'writes' : '',
  };
  // The shape is that of the question: another question has its own. The agent is that of the run before, as it was then.
  const { schema, agent: _, ...settings } = before;
  if (schema && (state.follows?.asks || state.follows?.canGoOn)) state.schema.value = schema;
  for (const [name, value] of Object.entries(settings)) state[name as 'model'].value = value as string;
  return state;
}
