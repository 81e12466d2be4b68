import { makePage, paragraph, slug } from '../corpus/material.ts';
import { fillerParagraph } from '../corpus/prose.ts';
import { seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import { contains, type Kit, type Task } from './task.ts';

const papers = ['Evening Courier', 'Harbour Gazette'];
const taskCount = 6;

/** Two papers tell of the same storm with different figures; a right answer has both. */
export function contradictions(): Kit {
  const random = seeded('contradictions');
  const newName = nameMaker(random, 'wick');
  const made = Array.from({ length: taskCount }, (_, index) => {
    const storm = `${newName()} Storm`;
    const figures = [random.whole(110, 490), random.whole(510, 990)].map(figure);
    const sentences = figures.map((roofs) => `The ${storm} destroyed ${roofs} roofs.`);
    const pages = papers.map((paper, i) => {
      const title = `${paper}: the ${storm}`;
      const body = [fillerParagraph(random), sentences[i]!, fillerParagraph(random)]
        .map(paragraph)
        .join('\n');
      return makePage({ path: `/news/${slug(title)}`, title, body, truth: sentences[i]! });
    });
    const task: Task = {
      id: `contradiction-${index + 1}`,
      kind: 'contradiction',
      question: `How many roofs did the ${storm} destroy?`,
      passages: sentences,
      isRight: contains(...figures),
    };
    return { task, pages };
  });
  return { tasks: made.map(({ task }) => task), materials: made.flatMap(({ pages }) => pages) };
}
