import { described, textField } from '@errand/platform';
import { type RunView, runErrors } from '@errand/runs';
import * as v from 'valibot';
import type { ToolAnswer } from './tool.ts';

/** What tools answer of a run. */
export const runAnswer = v.object({
  agentId: textField('The id of the run.'),
  status: described(
    'A run that is `queued` or `running` goes on: ask again with `get_run`.',
    v.picklist(['queued', 'running', 'succeeded', 'failed', 'awaiting_input']),
  ),
  answer: v.optional(textField('The answer of a run that succeeded.')),
  citations: v.optional(
    described(
      'The sources of claims in the answer: an address or a file, and what it says.',
      v.array(v.record(v.string(), v.unknown())),
    ),
  ),
  missing: v.optional(textField('What the run needs to be told before it can answer. Ask anew with it.')),
  error: v.optional(textField('Why the run failed.')),
  stopReason: v.optional(textField('Why the run answered with what it had: `rounds` or `credits`.')),
  credits: textField('What the run has cost so far, in EUR.'),
});

/** The run in words and as data. Only a run that has failed is an error to its caller. */
export function answerOfRun(run: RunView): ToolAnswer {
  const { agentId, status, stopReason, result, error, citations, usage } = run;
  return {
    text: wordsOf(run),
    data: {
      agentId,
      status,
      ...(status === 'succeeded' && { answer: result ?? '' }),
      ...(citations && { citations }),
      ...(status === 'awaiting_input' && { missing: result ?? '' }),
      ...(error !== undefined && { error }),
      ...(stopReason && { stopReason }),
      credits: usage.credits,
    },
  };
}

function wordsOf({ agentId, status, result = '', error, citations = [] }: RunView): string {
  switch (status) {
    case 'succeeded': {
      const sources = [...new Set(citations.map(sourceOf))];
      return sources.length === 0 ? result : `${result}\n\nSources:\n${sources.join('\n')}`;
    }
    case 'failed':
      return `The run ${agentId} failed: ${error}`;
    case 'awaiting_input':
      return `The run ${agentId} cannot answer yet: ${result}\nAsk again with what is missing.`;
    default:
      return `The run ${agentId} goes on. Call get_run with this agentId to wait for its answer.`;
  }
}

const sourceOf = (citation: NonNullable<RunView['citations']>[number]): string =>
  citation.type === 'url_citation' ? `- ${citation.title} ${citation.url}` : `- ${citation.filename}`;

/** The refusals of runs, to a model. */
export const runToolErrors: typeof runErrors = {
  ...runErrors,
  not_found: () => ({ status: 404, body: 'This key has no such run. It may have expired.' }),
};
