import { Detail } from '../../named/detail.tsx';
import type { NamedKind } from '../../named/kind.ts';
import { NewNamed, newDraft } from '../../named/new-named.tsx';
import { go } from '../../shell/route.ts';
import { ask } from '../ask/ask-state.ts';
import {
  type Agent,
  type AgentDraft,
  type AgentVersion,
  noAgent,
  tellDefinition,
  toAgentPatch,
  toDraft,
  toNewAgent,
} from './agent-draft.ts';
import { AgentFields } from './agent-fields.tsx';
import { AgentList } from './agent-list.tsx';

const agentKind: NamedKind<Agent, AgentDraft, AgentVersion> = {
  noun: 'agent',
  room: 'agents',
  key: 'name',
  idOf: ({ name }) => name,
  nothing: noAgent,
  draftOf: toDraft,
  toNew: toNewAgent,
  toPatch: toAgentPatch,
  textOf: tellDefinition,
  Fields: AgentFields,
};

const newAgent = newDraft(agentKind);

export function AgentsPage({ id }: { id?: string }) {
  if (id === undefined) return <AgentList />;
  if (id === 'new') return <NewNamed kind={agentKind} draft={newAgent()} />;
  return (
    <Detail key={id} kind={agentKind} id={id} actions={({ tagged }) => tagged.value && <Try id={id} />} />
  );
}

/** Leads to a question for this agent. */
const Try = ({ id }: { id: string }) => (
  <button
    type="button"
    onClick={() => {
      ask().agent.value = id;
      go('ask');
    }}
  >
    Try it
  </button>
);
