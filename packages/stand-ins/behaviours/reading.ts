import { urlsIn } from '../clauses.ts';
import { findQuotes, shorten } from '../quote.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasAudioName, hasImageName, isError, type Report, stepsWith } from './behaviour.ts';

/** Reads the documents that a question points to, and quotes what fits the question. */
export const documentBehaviour: Behaviour = {
  tool: 'document_parse',
  inputs: (task) => documentUrls(task).map((url) => ({ url })),
  report: (task) => [
    ...stepsWith(task, 'document_parse').map(({ input, result }) =>
      reportReading(`the document ${String(input.url)}`, result, task.question),
    ),
    ...task.material.map(({ heading, text }) =>
      reportReading(nameOf(heading), text, aboutMaterial(task, heading)),
    ),
  ],
};

export const crawlBehaviour: Behaviour = {
  tool: 'web_crawl',
  inputs: (task) => {
    const urls = asksToCrawl(task) ? urlsIn(task.question).filter((url) => !hasImageName(url)) : [];
    return urls.map((url) => ({ url }));
  },
  report: (task) =>
    stepsWith(task, 'web_crawl').map(({ input, result }) =>
      reportReading(`the page ${String(input.url)}`, result, task.question),
    ),
};

const asksToCrawl = ({ question }: Task): boolean =>
  /\b(?:crawl|visit|browse|web ?page|web ?site|(?:read|open) (?:the |this )?(?:page|site))\b/i.test(question);

const nameOf = (heading: string): string =>
  /^(?:text|transcript|attached|content)\b/i.test(heading)
    ? `the ${heading.slice(0, 1).toLowerCase()}${heading.slice(1)}`
    : `the text that came with the question (${heading})`;

/** Adds the word "image" for an image's description, so that the sentence about the image is quoted. */
const aboutMaterial = ({ question }: Task, heading: string): string =>
  /image|vision/i.test(heading) ? `${question} image` : question;

function documentUrls(task: Task): string[] {
  const { documentUrl } = task.links;
  const named = asksToCrawl(task) ? [] : urlsIn(task.question);
  const candidates = documentUrl === undefined ? named : [documentUrl, ...named];
  const seen = stepsWith(task, 'vision').map(({ input }) => input.imageUrl);
  const imageWasSeen = task.material.some(({ heading }) => /image|vision/i.test(heading));
  return [...new Set(candidates)].filter(
    (url) =>
      !hasImageName(url) &&
      !hasAudioName(url) &&
      !seen.includes(url) &&
      !(imageWasSeen && url === documentUrl),
  );
}

/** The number, title and address of a source, which Errand's agent puts in front of its text. */
const numberedHead = /^\[(\d+)\] [^\n]*\n(?:[^\n]+\n)?\n/;

/** What stands around the passages of a long text: how many there are, the outline, and how to read on. */
const frame =
  /^\[Outline[^\n]*\](?:\n *\d+: [^\n]*)*$|^\[(?:Passage \d|This material|To (?:see|read)|There is|This was)[^\n]*\]$/gm;

/** The number of a source in the heading of a text that came with the question. */
const namedNumber = /, source \[(\d+)\]/;

/** The sources in what a tool has answered, each from its number to that of the next. */
function sourcesIn(result: string): { number: number; text: string }[] {
  const heads = [...result.matchAll(/^\[(\d+)\] [^\n]*\n(?:https?:\/\/\S*\n)?/gm)];
  return heads.map(({ 0: head, 1: number, index }, at) => ({
    number: Number(number),
    text: result.slice(index + head.length, heads[at + 1]?.index),
  }));
}

const saidCharacters = 200;

/** What fits the question in the sources that were shown, with their numbers. */
export function quotesOfSources({ question, steps, material }: Task): { text: string; number: number }[] {
  const read = steps.filter(({ result }) => !isError(result)).flatMap(({ result }) => sourcesIn(result));
  const sent = material.flatMap(({ heading, text }) => {
    const number = namedNumber.exec(heading)?.[1];
    return number === undefined ? [] : [{ number: Number(number), text }];
  });
  return [...sent, ...read].flatMap(({ number, text }) =>
    findQuotes(text.replaceAll(frame, ''), question).map((quote) => ({
      number,
      text: shorten(quote, saidCharacters),
    })),
  );
}

/** Quotes the sentences that fit the question, or says why the source could not be read. */
export function reportReading(named: string, text: string, question: string): Report {
  const source = named.replace(namedNumber, '');
  if (isError(text)) return { text: `I could not read ${source}: ${text.trim()}` };
  const [head = '', number = namedNumber.exec(named)?.[1]] = numberedHead.exec(text) ?? [];
  const quotes = findQuotes(text.slice(head.length).replaceAll(frame, ''), question);
  if (quotes.length === 0) return { text: `There is no text in ${source}.` };
  const marker = number === undefined ? '' : ` [${number}]`;
  const lines = quotes.map((quote) => `"${quote}"${marker}`);
  return {
    text: lines.length === 1 ? lines.join() : lines.map((line) => `- ${line}`).join('\n'),
    aside: `From ${source}, what shares most words with the question:\n`,
  };
}
