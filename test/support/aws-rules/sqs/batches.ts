import type { Rule } from '../sent.ts';

const mostEntries = 10;
const id = /^[\w-]{1,80}$/;

/** The entries of a batch, and their ids. */
export const batchProblems: Rule = ({ command, input }) => {
  if (!command.endsWith('Batch')) return [];
  const ids: string[] = (input.Entries ?? []).map(({ Id }: { Id: string }) => Id);
  return [
    ...(ids.length === 0 ? ['batches: there is nothing in it'] : []),
    ...(ids.length > mostEntries ? [`batches: ${ids.length} entries, more than ${mostEntries}`] : []),
    ...(new Set(ids).size < ids.length ? ['batches: an id is there twice'] : []),
    ...ids.filter((each) => !id.test(each)).map((each) => `batches: ${JSON.stringify(each)} is no id`),
  ];
};
