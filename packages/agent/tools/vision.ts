import { limits } from '@errand/platform';
import { imageNames } from '@errand/text';
import * as v from 'valibot';
import { numberedAnswer } from '../sources/numbered-answer.ts';
import { defineTool, type ToolAnswer } from '../tool.ts';
import { address } from './address.ts';

export type See = (imageUrl: string, question: string, signal: AbortSignal) => Promise<ToolAnswer>;

export const vision = (deps: { see: See }) =>
  defineTool({
    name: 'vision',
    description: `Looks at an image (${imageNames}) on the web, or at an attached one, and answers a question about it.`,
    parameters: v.object({
      imageUrl: address('The address of the image, http or https, or the name of an attached image.'),
      question: v.pipe(v.string(), v.description('What to find out from the image.')),
    }),
    timeoutMilliseconds: limits.toolMilliseconds,
    readsOnly: true,
    sends: ({ imageUrl }) => ({ address: imageUrl }),
    async run({ imageUrl, question }, { signal }) {
      const answer = await deps.see(imageUrl, question, signal);
      const place = answer.isOutside ? { url: imageUrl } : { filename: imageUrl };
      const source = { kind: 'image' as const, ...place, snippet: answer.text };
      const { cited } = numberedAnswer(source, answer.text);
      return { ...answer, cited: { ...cited, forModelAlone: true } };
    },
  });
