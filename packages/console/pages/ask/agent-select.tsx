import { SelectField } from '../../parts/select-field.tsx';
import { agentNames, agents } from './agents-state.ts';

/** The stored agents that this key sees. */
export function AgentSelect({ chosen, unset }: { chosen: { value: string }; unset: string }) {
  agents().need();
  return <SelectField name="Agent" chosen={chosen} names={agentNames()} unset={unset} source={agents()} />;
}
