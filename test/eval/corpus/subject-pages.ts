import { seeded } from '../random.ts';
import type { Subject } from '../world/facts.ts';
import { type Material, makePage, paragraph, slug } from './material.ts';
import { fillerParagraph, remarkOn } from './prose.ts';

export const subjectPath = (title: string): string => `/wiki/${slug(title)}`;

/** A page on a subject: its facts stand apart from each other, between paragraphs that say little. */
export function subjectPage({ title, facts }: Subject): Material {
  const random = seeded(`page of ${title}`);
  const remarks = facts.map(() => remarkOn(random, title));
  const sections = facts.map(({ sentence }, index) => {
    const before = Array.from({ length: random.whole(1, 3) }, () => paragraph(fillerParagraph(random)));
    const told = paragraph(`${remarks[index]} ${sentence} ${fillerParagraph(random, 2)}`);
    return `<h2>Part ${index + 1}</h2>\n${[...before, told].join('\n')}`;
  });
  return makePage({
    path: subjectPath(title),
    title,
    body: sections.join('\n'),
    states: facts,
  });
}
