import { answerSystemOne, decisionAnswer, decisionBody, systemOneErrors } from '@errand/decisions';
import { roleModel } from '@errand/models';
import { nameOf, type OrderedObject, parseOrderedJson, stringifyOrderedJson } from '@errand/platform';
import * as v from 'valibot';
import { defineTool } from '../tool.ts';

export const decide = defineTool({
  name: 'decide',
  title: 'Decide between options',
  description:
    'Has a model judge a case in one pass: for each question the probability of yes (noul), of each option (choice), or of each level (score).',
  family: 'decisions',
  annotations: { readOnlyHint: true, openWorldHint: false },
  arguments: v.object({
    ...decisionBody.entries,
    model: v.optional(nameOf('A decision model. Without it: the one of the service.')),
  }),
  answer: decisionAnswer,
  isOffered: ({ decisions }) => roleModel(decisions.catalogue, 'decision') !== undefined,
  errors: systemOneErrors,
  async run(_args, { deps, c, json }) {
    const answer = await answerSystemOne(deps.decisions, c, async () => withModel(deps.decisions, json));
    return { text: answer, data: JSON.parse(answer) as Record<string, unknown> };
  },
});

/** The arguments, in the order in which they were sent, with the service's own model if they name none. */
function withModel({ catalogue }: Parameters<typeof answerSystemOne>[0], json: string): string {
  const { value } = parseOrderedJson(json);
  const body = value as OrderedObject;
  const own = roleModel(catalogue, 'decision');
  return body.has('model') || !own ? json : stringifyOrderedJson(new Map([['model', own.id], ...body]));
}
