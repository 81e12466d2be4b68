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
  const { question, file, missingFile, model, tools, skill, servers, maxCredits, proof, approve, schema } =
    ask();
  const { metadata, model: chosen } = run.value ?? {};
  question.value = sentQuestions().get(agentId) ?? (run.value && askedOf(run.value)) ?? '';
  file.value = sentFiles().get(agentId);
  missingFile.value = file.value ? undefined : metadata?.file;
  model.value = chosen ?? '';
  tools.value = undefined;
  skill.value = '';
  servers.value = [];
  maxCredits.value = '';
  proof.value = false;
  approve.value = '';
  schema.value = sentSettings().get(agentId)?.schema ?? '';
}
