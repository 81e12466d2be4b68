import { quotesIn } from '../clauses.ts';
import { findQuotes, sentencesOf, shorten } from '../quote.ts';
import type { Task } from '../task.ts';
import { type Behaviour, isError, stepsWith } from './behaviour.ts';
import { searchBehaviour } from './search.ts';
import { saveValueBehaviour } from './values.ts';

const asksToSave = /\b(?:save|write|export|store|put|create|make|generate|produce)\b/i;
const namedFile = /\bfile\s+(?:named\s+|called\s+)?["“'`]?([^\s"”'`,;]+\.[a-z0-9]{1,5})\b/i;
const textFile = /(?<![\w/.-])([\w.-]+\.(?:md|csv|json|txt))\b(?!\/)/i;
const materialCharacters = 1_500;

export const saveFileBehaviour: Behaviour = {
  tool: 'save_file',
  inputs: (task) => task.clauses.flatMap((clause) => fileIn(clause, task)),
  report: (task) =>
    stepsWith(task, 'save_file').map(({ input, result }) => {
      const filename = String(input.filename);
      if (!isError(result)) return { text: `I saved the file ${filename}. ${result.trim()}` };
      return {
        text: `The file ${filename} was not saved (${result.trim()}). This is its content:\n\n${String(input.content)}`,
      };
    }),
};

function fileIn(clause: string, task: Task): { filename: string; content: string }[] {
  if (!asksToSave.test(clause)) return [];
  const filename = namedFile.exec(clause)?.[1] ?? textFile.exec(clause)?.[1];
  if (filename === undefined) return [];
  const requested = requestedText(clause, task).find((text) => text !== filename);
  return [{ filename, content: requested ?? writeContent(filename, task) }];
}

/** The quoted texts of the clause, and those of the whole question if no other task could mean them. */
function requestedText(clause: string, task: Task): string[] {
  const quotes = quotesIn(clause);
  const hasOtherTask = [searchBehaviour, saveValueBehaviour].some((other) => other.inputs(task).length > 0);
  return hasOtherTask ? quotes : [...quotes, ...quotesIn(task.question)];
}

/** Writes what the task has read so far, in the format of the file's extension. */
function writeContent(filename: string, task: Task): string {
  const rows = materialRows(task);
  if (/\.json$/i.test(filename)) return JSON.stringify({ question: task.question, notes: rows }, null, 2);
  if (/\.csv$/i.test(filename))
    return ['number,note', ...rows.map((row, index) => `${index + 1},${csvCell(row)}`)].join('\n');
  if (/\.md$/i.test(filename)) return `# Notes\n\n${rows.map((row) => `- ${row}`).join('\n')}\n`;
  return `${rows.join('\n')}\n`;
}

function materialRows(task: Task): string[] {
  const texts = [
    ...task.material.map(({ text }) => text),
    ...task.steps
      .filter(
        ({ tool, result }) => !['write_todos', 'save_file', 'save_data'].includes(tool) && !isError(result),
      )
      .map(({ result }) => result),
  ];
  if (texts.length === 0) return [`Stand-in text for: ${shorten(task.question, 300)}`];
  return texts.flatMap((text) => {
    const quotes = findQuotes(text, task.question);
    const opening = sentencesOf(shorten(text, materialCharacters)).slice(0, 5);
    return [...new Set([...quotes, ...opening])].map((row) => row.replace(/\s+/g, ' '));
  });
}

const csvCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
