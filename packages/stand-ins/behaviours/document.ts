import { urlsIn } from '../clauses.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasAudioName, hasImageName, stepsWith } from './behaviour.ts';
import { asksToCrawl } from './crawl.ts';
import { reportReading } from './reading.ts';

/** Reads the documents that a question points to, and quotes what fits the question. */
export const documentBehaviour: Behaviour = {
  calls: (task) => documentUrls(task).map((url) => ({ tool: 'document_parse', input: { url } })),
  report: (task) => [
    ...stepsWith(task, 'document_parse').map(({ input, result }) =>
      reportReading(`the document ${String(input.url)}`, result, task.question),
    ),
    ...task.material.map(({ heading, text }) =>
      reportReading(nameOf(heading), text, aboutMaterial(task, heading)),
    ),
  ],
};

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
