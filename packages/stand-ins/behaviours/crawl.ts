import { urlsIn } from '../clauses.ts';
import type { Task } from '../task.ts';
import { type Behaviour, hasImageName, stepsWith } from './behaviour.ts';
import { reportReading } from './reading.ts';

export const asksToCrawl = ({ question }: Task): boolean =>
  /\b(?:crawl|visit|browse|web ?page|web ?site|(?:read|open) (?:the |this )?(?:page|site))\b/i.test(question);

export const crawlBehaviour: Behaviour = {
  calls: (task) => {
    const urls = asksToCrawl(task) ? urlsIn(task.question).filter((url) => !hasImageName(url)) : [];
    return urls.map((url) => ({ tool: 'web_crawl', input: { url } }));
  },
  report: (task) =>
    stepsWith(task, 'web_crawl').map(({ input, result }) =>
      reportReading(`the page ${String(input.url)}`, result, task.question),
    ),
};
