import type { Outside } from './outside.ts';

/** The parts in which the run saves its file. */
export const fileParts = [
  '# The tides\n',
  'High water is at noon. 🌊\n',
  'The toll is seven ducats.\n',
] as const;

/**
 * The body of a run that reads a long document in three pieces, saves a file in parts, continues an answer that was cut,
 * and has its claims proved twice.
 */
export function longRun(outside: Outside, label: string): object {
  const read = (more: object = {}) => ({
    name: 'document_parse',
    args: { url: `${outside.url}/log/${label}/a.txt`, ...more },
  });
  const save = (part: number) => ({
    name: 'save_file',
    args: { filename: 'tides.md', content: fileParts[part], ...(part > 0 && { append: true }) },
  });
  // Without a query the question would choose the passages, and so the label in it.
  const turns = [
    {
      text: 'First I read.',
      calls: [read({ query: 'high water' }), { name: 'web_search', args: { query: `${label} tides` } }],
    },
    { calls: [read({ query: 'toll ducats' }), read({ from: 500 })] },
    { calls: [save(0), save(1)] },
    { calls: [save(2)] },
    { text: `High water is at noon (${label}) [1]. The toll is ni`, finish: 'length' },
  ];
  const mended = `High water is at noon (${label}) [1]. The toll is seven ducats (${label}) [1].`;
  outside.script(label, (number, last) => {
    if (last.startsWith('Before this is sent'))
      return { calls: [{ name: 'confirm_answer', args: { answer: mended } }] };
    return turns[number - 1] ?? { text: `ne ducats (${label}) [1].` };
  });
  return { question: `When is high water? [${label} run]`, proof: true };
}
