import { urlsIn } from '../clauses.ts';
import { describeImage } from '../describe-image.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasImageName, isError, stepsWith } from './behaviour.ts';

/** Calls `vision` for images that a question names, and describes those that came in the messages. */
export const imageBehaviour: Behaviour = {
  calls: (task) =>
    imageUrls(task).map((imageUrl) => ({ tool: 'vision', input: { imageUrl, question: task.question } })),
  report: (task) => [
    ...task.images.map((url) => ({ text: describeImage(url) })),
    ...stepsWith(task, 'vision').map(({ input, result }) => {
      const image = String(input.imageUrl);
      if (isError(result)) return { text: `I could not look at the image ${image}: ${result.trim()}` };
      return { text: `About the image: ${result.trim()}`, aside: `It is at ${image}.` };
    }),
  ],
};

function imageUrls({ question, links, material }: Task): string[] {
  const { imageUrl, documentUrl } = links;
  const imageWasSeen = material.some(({ heading }) => /image|vision/i.test(heading));
  const linked = imageWasSeen ? [] : [documentUrl ?? []].flat().filter(hasImageName);
  const named = imageUrl === undefined || imageWasSeen ? [] : [imageUrl];
  return [...new Set([...named, ...urlsIn(question).filter(hasImageName), ...linked])];
}
