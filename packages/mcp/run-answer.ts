import { countField, described, numberField, textField } from '@errand/platform';
import { askedSchema, type RunView, type RunWait, runErrors, waitSchema } from '@errand/runs';
import * as v from 'valibot';
import type { ToolAnswer } from './tool.ts';
import { agentToolName } from './tool-names.ts';

const citation = v.looseObject({
  type: described('Where the source is.', v.picklist(['url_citation', 'file_citation'])),
  url: v.optional(textField('The address of the source.')),
  title: v.optional(textField('The title of the source.')),
  filename: v.optional(textField('The name of the file.')),
  startIndex: countField('Where the claim begins in `answer`, in UTF-16 units from 0.'),
  endIndex: countField('Where it ends in `answer`, in UTF-16 units; exclusive.'),
  passage: v.optional(textField('The text of the source that is nearest to the claim.')),
  quote: v.optional(textField('The words of `passage` that are nearest to the claim.')),
  place: v.optional(textField('Where the passage is in its original, such as `page 12`.')),
});

/** What tools answer of a run. */
export const runAnswer = v.object({
  agentId: textField('The id of the run.'),
  status: described(
    'A run that is `queued` or `running` goes on: ask again with `get_run`.',
    v.picklist(['queued', 'running', 'succeeded', 'failed', 'awaiting_input']),
  ),
  waiting: v.optional(described('What a run that goes on waits for.', waitSchema)),
  answer: v.optional(textField('The answer of a run that succeeded.')),
  citations: v.optional(described('The sources of claims in the answer, in their order.', v.array(citation))),
  missing: v.optional(
    textField('What the run needs before it can answer. Ask again with it, and the run as previousRunId.'),
  ),
  asked: v.optional(described('The arguments of ask that bring it, and the calls.', askedSchema)),
  error: v.optional(textField('Why the run failed.')),
  stopReason: v.optional(
    textField(
      'Why the run answered with what it had, `rounds` or `credits`; `schema` if nothing that it wrote fitted outputSchema.',
    ),
  ),
  credits: textField('What the run has cost so far, in EUR.'),
  basis: v.optional(
    described(
      'The facts of `output`, each with its sources.',
      v.array(
        v.looseObject({
          pointer: textField('A JSON Pointer into `output`.'),
          citations: described('Those of `citations` that are about it.', v.array(citation)),
          support: v.optional(numberField('The probability that its sources support it, if it was checked.')),
        }),
      ),
    ),
  ),
  unsupported: v.optional(
    described('The pointers of facts that their sources do not bear out.', v.array(v.string())),
  ),
  output: v.optional(described('The value that fits outputSchema, whatever that is.', v.unknown())),
});

/** The run in words and as data. Only a run that has failed is an error to its caller. */
export function answerOfRun(run: RunView): ToolAnswer {
  const { agentId, status, waiting, stopReason, result, error, citations, asked, usage } = run;
  const { basis, unsupported, output } = run;
  return {
    text: wordsOf(run),
    data: {
      agentId,
      status,
      ...(waiting && { waiting }),
      ...(status === 'succeeded' && { answer: result ?? '' }),
      ...(citations && { citations }),
      ...(status === 'awaiting_input' && { missing: result ?? '' }),
      ...(asked && { asked }),
      ...(error !== undefined && { error }),
      ...(stopReason && { stopReason }),
      credits: usage.credits,
      ...(basis && { basis }),
      ...(unsupported && { unsupported }),
      ...(output && { output }),
    },
  };
}

function wordsOf(run: RunView): string {
  const { agentId, status, waiting, result = '', error, citations = [] } = run;
  switch (status) {
    case 'succeeded': {
      const sources = [...new Set(citations.map(sourceOf))];
      return sources.length === 0 ? result : `${result}\n\nSources:\n${sources.join('\n')}`;
    }
    case 'failed':
      return `The run ${agentId} failed: ${error}`;
    case 'awaiting_input':
      return [
        `The run ${agentId} cannot answer yet: ${result}`,
        ...linesOfAsked(run),
        `Call ${run.agent ? agentToolName(run.agent.name) : 'ask'} with this agentId as previousRunId and with what is missing.`,
        ...(!run.agent && run.asked?.calls?.length
          ? ['Give it functions and approve again: the run has only those.']
          : []),
      ].join('\n');
    default:
      return `The run ${agentId} ${waiting ? describeWait(waiting) : 'goes on.'} Call get_run with this agentId to wait for its answer.`;
  }
}

function linesOfAsked({ asked }: RunView): string[] {
  const { expected = [], calls = [] } = asked ?? {};
  return [
    ...expected.map(({ name, description }) => `- ${name}: ${description}`),
    ...calls.map(({ id, type, name, arguments: json }) => `- ${type} ${id}: ${name} ${json}`),
  ];
}

/** What a run does instead of going on, after its subject. Times are as `waiting` has them, to the second. */
export function describeWait({ for: reason, since, until }: RunWait): string {
  const latest = until === undefined ? '' : `, until ${toSecond(until)} at the latest`;
  const when = `since ${toSecond(since)}${latest}`;
  switch (reason) {
    case 'model_provider':
      return `waits for its model provider ${when}. It is asked again and again, and nothing is charged meanwhile.`;
    case 'queue':
      return `waits for its turn ${when}. Nothing is charged meanwhile.`;
    case 'worker':
      return `waits for another worker ${when}, because its own fell silent. It goes on from what it has done.`;
  }
}

const toSecond = (time: string) => time.replace(/\.\d+/, '');

const sourceOf = (citation: NonNullable<RunView['citations']>[number]): string =>
  citation.type === 'url_citation' ? `- ${citation.title} ${citation.url}` : `- ${citation.filename}`;

/** The refusals of runs, to a model. */
export const runToolErrors: typeof runErrors = {
  ...runErrors,
  not_found: () => ({ status: 404, body: 'This key has no such run. It may have expired.' }),
};
