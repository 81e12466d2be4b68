import { textField } from '@errand/platform';
import { getRun } from '@errand/runs';
import * as v from 'valibot';
import { answerOfRun, runAnswer, runToolErrors } from '../run-answer.ts';
import { defineTool } from '../tool.ts';
import { waitForRun } from '../wait-for-run.ts';
import { waitField } from './wait-field.ts';

export const agentIdField = textField('The id of the run, as ask has told it.');

export const getRunTool = defineTool({
  name: 'get_run',
  title: 'Get the answer of a run',
  description: 'Waits for the answer of a run that ask has started, and gives it with its sources.',
  family: 'runs',
  annotations: { readOnlyHint: true, openWorldHint: false },
  arguments: v.object({ agentId: agentIdField, waitSeconds: waitField }),
  answer: runAnswer,
  isOffered: () => true,
  errors: runToolErrors,
  async run({ agentId, waitSeconds }, call) {
    const run = await getRun(call.deps.runs, call.c.var.principal, agentId);
    return answerOfRun(await waitForRun(call, run, waitSeconds));
  },
});
