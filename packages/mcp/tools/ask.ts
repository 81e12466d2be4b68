import { defaultAgent, withOrderedSchema } from '@errand/agents';
import { fieldIssue, unchecked, validate } from '@errand/platform';
import { type CreateRunBody, createRun, createRunSchema, getRun, refuseMisspeltRun } from '@errand/runs';
import { skillFieldSchema } from '@errand/skills';
import * as v from 'valibot';
import { answerOfRun, runAnswer, runToolErrors } from '../run-answer.ts';
import { defineTool, type ToolAnswer, type ToolCall } from '../tool.ts';
import { waitForRun } from '../wait-for-run.ts';
import { waitField } from './wait-field.ts';

const { question, documentUrl, audioUrl, tools, model, maxCredits, proof, effort, metadata } =
  createRunSchema.entries;
const { previousRunId, functions, functionResults, approve, approveThreshold, approvals, outputSchema } =
  createRunSchema.entries;

const schemaArgument = v.object({ outputSchema });

export const ask = defineTool({
  name: 'ask',
  title: 'Ask an agent',
  description:
    'Has an agent work on a question: it searches the web, reads pages, documents, images and recordings, and answers with its sources. It may take minutes. If the answer is not there in time, the result has the id of the run: call get_run with it. With previousRunId it goes on from an earlier run: a question that follows, or what that run has asked for.',
  family: 'runs',
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  arguments: v.pipe(
    v.object({
      question,
      documentUrl,
      audioUrl,
      skills: v.optional(skillFieldSchema),
      tools,
      model,
      maxCredits,
      proof,
      effort,
      metadata,
      outputSchema: v.optional(unchecked(outputSchema.wrapped)),
      previousRunId,
      functions,
      functionResults,
      approve,
      approveThreshold,
      approvals,
      waitSeconds: waitField,
    }),
    v.forward(
      v.check(({ question, previousRunId }) => (question ?? previousRunId) !== undefined, 'is required'),
      ['question'],
    ),
  ),
  answer: runAnswer,
  isOffered: ({ runs }) => runs.agentsEnabled,
  errors: runToolErrors,
  async run({ outputSchema: sent, ...given }, call) {
    const json = JSON.parse(call.json);
    refuseMisspeltRun(json);
    // Left out, it would be thought to hold.
    if (json instanceof Object && ![undefined, defaultAgent].includes(json.agent))
      throw fieldIssue('agent', 'is not taken here: each agent is a tool of its own');
    const ordered = withOrderedSchema(sent === undefined ? {} : { outputSchema: sent }, call.json);
    return startAsked({ ...given, ...validate(schemaArgument, ordered) }, call);
  },
});

/** Starts a run, waits for its end and answers with it. */
export async function startAsked(
  { waitSeconds, ...body }: CreateRunBody & { waitSeconds?: number },
  call: ToolCall,
): Promise<ToolAnswer> {
  const { deps, c, progress } = call;
  const text = JSON.stringify(body);
  const agentId = await createRun(deps.runs, c, { read: async () => ({ body, text }) });
  // A client that gives up early at least has the run's id.
  await progress?.(`The run ${agentId} has started.`);
  const run = await getRun(deps.runs, c.var.principal, agentId);
  return answerOfRun(await waitForRun(call, run, waitSeconds));
}
