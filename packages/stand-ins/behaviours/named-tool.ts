import { shorten } from '../quote.ts';
import type { Behaviour } from './behaviour.ts';
import { isError } from './behaviour.ts';

/** The tools of Errand's agent. Other behaviours call them for what a question asks, and report on them. */
const agentTools = new Set([
  ...['web_search', 'web_crawl', 'document_parse', 'vision', 'audio_transcribe', 'save_data', 'read_data'],
  ...['save_file', 'write_todos', 'request_input', 'confirm_answer'],
]);

const leadingVerb = /^(?:get|fetch|find|look up|list|read|show) /;

/** Reports what tools said that only a caller knows. */
export const namedToolBehaviour: Behaviour = {
  calls: () => [],
  report: ({ steps }) =>
    steps
      .filter(({ tool }) => !agentTools.has(tool))
      .map(({ tool, result }) => ({
        text: `The tool ${tool} ${isError(result) ? 'failed' : 'answered'}: ${shorten(result.trim(), 1_000)}`,
      })),
};

/** Whether a text names a caller's tool: `get_weather` is named by "get weather", and by "weather" alone. */
export function isNamed(text: string, tool: string): boolean {
  if (agentTools.has(tool)) return false;
  const name = wordsOf(tool);
  return [name, name.replace(leadingVerb, '')].some((each) => ` ${wordsOf(text)} `.includes(` ${each} `));
}

const wordsOf = (text: string): string =>
  text
    .replace(/([\p{Ll}\d])(?=\p{Lu})/gu, '$1 ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join(' ') ?? '';
