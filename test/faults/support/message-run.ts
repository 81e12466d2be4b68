import type { Outside } from './outside.ts';

/** The body of a run whose provider speaks Messages: two turns that call tools, an answer, and its check. */
export function messageRun(outside: Outside, label: string): object {
  const save = (name: string) => ({ name: 'save_data', args: { name, value: 'noon' } });
  const turns = [{ text: 'First I save.', calls: [save('high'), save('low')] }, { calls: [save('tide')] }];
  outside.script(label, (number) => turns[number - 1] ?? { text: 'High water is at noon.' });
  return { model: 'envoy', question: `When is high water? [${label} run]` };
}
