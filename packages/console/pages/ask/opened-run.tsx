import { later } from '../../parts/later.tsx';
import { RunView } from '../../run/run-view.tsx';
import { AskAgain } from './ask-again.tsx';

const FollowUp = later(async () => (await import('./follow-up.tsx')).FollowUp);

/** A run that can be asked again, and asked further. */
export const OpenedRun = ({ agentId, again }: { agentId: string; again: () => void }) => (
  <RunView
    key={agentId}
    agentId={agentId}
    actions={(followed) => <AskAgain followed={followed} then={again} />}
    further={(followed) => <FollowUp followed={followed} />}
  />
);
