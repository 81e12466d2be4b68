import { askedOf } from '@errand/client';
import type { FollowedRun } from '../../run/followed-run.ts';
import { ask, sentSettings } from './ask-state.ts';
import { sentFiles, sentQuestions } from './sent.ts';

/** Fills the form with what is known of the run, as soon as that was read. */
export const AskAgain = ({ followed, then }: { followed: FollowedRun; then: () => void }) => (
  <button
    type="button"
    disabled={followed.run.value === undefined}
    onClick={() => {
      takeAgain(followed);
      then();
    }}
  >
    Ask again
  </button>
);

function takeAgain({ agentId, run }: FollowedRun): void {
  const state = ask();
  const { question, file, missingFile } = state;
  const { metadata, model, agent, effort } = run.value ?? {};
  question.value = sentQuestions().get(agentId) ?? (run.value && askedOf(run.value)) ?? '';
  file.value = sentFiles().get(agentId);
  missingFile.value = file.value ? undefined : metadata?.file;
  state.agent.value = agent?.name ?? '';
  state.effort.value = effort ?? '';
  // A stored agent has a model of its own, or leaves it to the service.
  state.model.value = (!agent && model) || '';
  state.tools.value = undefined;
  state.skill.value = '';
  state.servers.value = [];
  state.maxCredits.value = '';
  state.proof.value = false;
  state.approve.value = '';
  state.schema.value = sentSettings().get(agentId)?.schema ?? '';
}
