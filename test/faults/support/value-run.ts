import type { Outside } from './outside.ts';

/** The body of a run whose value fits at its third writing, is changed by the check at the second, and is proved before and after. */
export function valueRun(outside: Outside, label: string): object {
  const noon = `High water is at noon (${label})`;
  const written = (value: object) => JSON.stringify({ value, sources: [{ pointer: '', numbers: [1] }] });
  const confirming = (value: object) => ({
    calls: [{ name: 'confirm_answer', args: { answer: written(value) } }],
  });
  const answers = [
    { calls: [{ name: 'document_parse', args: { url: `${outside.url}/log/${label}/a.txt` } }] },
    { text: 'I have read the log.' },
    { text: written({ ducats: 7 }) },
    { text: '{"value":{"tide":"High wa', finish: 'length' },
    { text: written({ tide: noon, ducats: 9 }) },
    confirming({ tide: noon, ducats: 'seven' }),
    confirming({ tide: noon, ducats: 7 }),
  ];
  outside.script(label, (number) => answers[number - 1] ?? { text: 'too many' });
  return {
    question: `When is high water, and what is the toll? [${label} run]`,
    proof: true,
    tools: ['document_parse'],
    outputSchema: {
      type: 'object',
      properties: { tide: { type: 'string' }, ducats: { type: ['integer', 'null'] } },
      required: ['tide', 'ducats'],
    },
  };
}
