import { cancelRun, showRun } from '@errand/runs';
import * as v from 'valibot';
import { answerOfRun, runAnswer, runToolErrors } from '../run-answer.ts';
import { defineTool } from '../tool.ts';
import { agentIdField } from './get-run.ts';

export const cancelRunTool = defineTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description:
    'Stops a run that ask has started. What it has done so far is charged. A run that has ended stays as it is.',
  family: 'runs',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  arguments: v.object({ agentId: agentIdField }),
  answer: runAnswer,
  isOffered: () => true,
  errors: runToolErrors,
  async run({ agentId }, { deps, c }) {
    const run = await showRun(deps.runs, await cancelRun(deps.runs, c.var.principal, agentId));
    const answer = answerOfRun(run);
    const isStopping = run.status === 'running' || run.status === 'queued';
    return isStopping ? { ...answer, text: `The run ${agentId} is being stopped.` } : answer;
  },
});
