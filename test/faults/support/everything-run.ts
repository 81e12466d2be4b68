import type { Answer } from '../../support/model-server.ts';
import type { RunEvent } from '../../support/service.ts';
import type { Outside } from './outside.ts';

/** The body of a run that reads a recording and an image first, calls every tool, and one more in the final check. */
export function everythingRun(outside: Outside, label: string): object {
  outside.script(label, (number) => answers(outside.url, label)[number - 1] ?? { text: 'too many' });
  return {
    question: `Do everything, and save what you find [${label} run] [${label} forced]`,
    audioUrl: `${outside.url}/recording/${label}/${label}--forced.mp3`,
    documentUrl: `${outside.url}/image/${label}/forced.png`,
  };
}

const answers = (url: string, label: string): Answer[] => [
  {
    text: 'First a plan.',
    calls: [
      { name: 'write_todos', args: { todos: [{ content: 'Look', status: 'pending' }] } },
      { name: 'save_data', args: { name: 'harbour', value: 'Den Helder' } },
    ],
  },
  {
    calls: [
      { name: 'read_data', args: { name: 'harbour' } },
      { name: 'save_file', args: { filename: 'tides.csv', content: 'hour,level\n12,high\n' } },
      { name: 'document_parse', args: { url: `${url}/document/${label}/a.txt` } },
      { name: 'web_crawl', args: { url: `${url}/page/${label}/a.html` } },
      { name: 'web_search', args: { query: `${label} tides` } },
      { name: 'vision', args: { imageUrl: `${url}/image/${label}/b.png`, question: `[${label} b]` } },
      { name: 'audio_transcribe', args: { url: `${url}/recording/${label}/${label}--b.mp3` } },
    ],
  },
  { text: 'High water is at noon.' },
  { calls: [{ name: 'save_data', args: { name: 'answer', value: 'noon' } }] },
  { text: 'NEW ANSWER: High water is at noon, as saved.' },
];

/** The events with ids, times and signatures, which differ from run to run, replaced by their names. */
export function alike(events: readonly RunEvent[], run: { agentId: string; label: string }): RunEvent[] {
  const text = JSON.stringify(events)
    .replaceAll(run.agentId, '<run>')
    .replaceAll(run.label, '<label>')
    .replace(/valid until \S+Z:/g, 'valid until <time>:')
    .replace(/expires=\d+&signature=[\w-]+/g, '<signed>');
  return JSON.parse(text) as RunEvent[];
}
