import { imageSize } from 'image-size';
import { urlsIn } from '../clauses.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasImageName, isError, stepsWith } from './behaviour.ts';

/** Calls `vision` for images that a question names, and describes those that came in the messages. */
export const imageBehaviour: Behaviour = {
  tool: 'vision',
  inputs: (task) => imageUrls(task).map((imageUrl) => ({ imageUrl, question: task.question })),
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

const base64Data = /^data:([^;,]*)(?:;[^,]*)?;base64,/i;

/** Says the format and size of an image that came as data, or the URL of another one. */
function describeImage(url: string): string {
  const data = base64Data.exec(url);
  if (data === null) return `The message has the image ${url}, which the stand-in does not fetch.`;
  const bytes = Buffer.from(url.slice(data[0].length), 'base64');
  const measured = measure(bytes);
  if (measured === undefined) {
    return `The message has ${bytes.length} bytes of data said to be ${data[1] || 'an image'}, in no image format known here.`;
  }
  const { format, width, height } = measured;
  return `The image is a ${format} of ${width} x ${height} pixels (${bytes.length} bytes).`;
}

function measure(bytes: Buffer): { format: string; width: number; height: number } | undefined {
  try {
    const { type = '', width, height } = imageSize(bytes);
    const format = formats[type];
    return format === undefined ? undefined : { format, width, height };
  } catch {
    return undefined;
  }
}

/** The formats that the service takes. The library knows more, some of them by too few bytes. */
const formats: Record<string, string> = { png: 'PNG', jpg: 'JPEG', webp: 'WebP', gif: 'GIF' };
