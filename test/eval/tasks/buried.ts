import { type Material, slug } from '../corpus/material.ts';
import { makeWord } from '../corpus/office-files.ts';
import { fillerParagraph } from '../corpus/prose.ts';
import { contentTypes } from '../corpus/short-documents.ts';
import { seeded } from '../random.ts';
import { figure } from '../world/facts.ts';
import { nameMaker } from '../world/names.ts';
import type { World } from '../world/world.ts';
import { answered, type Kit, type Places, type Task } from './task.ts';
import { ask, languages } from './wordings.ts';

const taskCount = 8;
/** More than a model is shown whole. */
const chapters = 160;
const misleadingEach = 40;

const misleading = [
  (name: string) =>
    `The workforce of ${name} is a subject on which every visitor has a view. How big is the workforce, they ask.`,
  (name: string) =>
    `Zur Belegschaft von ${name} gibt es viele Meinungen: Wie groß ist die Belegschaft von ${name}, fragt man sich.`,
  (name: string) =>
    `Sur l'effectif de ${name}, chacun a son avis : quel est l'effectif de ${name}, demande-t-on.`,
  (name: string) =>
    `Sobre los trabajadores de ${name} se discute: cuántos trabajadores tiene ${name}, se preguntan.`,
];

/** One passage of a long document answers, in other words than the question's; many others have these words and no answer. */
export function buried(_: World, { site }: Places): Kit {
  const random = seeded('buried');
  const newName = nameMaker(random, 'combe');
  const made = Array.from({ length: taskCount }, (__, i) => {
    const name = `${newName()} Works`;
    const count = figure(random.whole(1_100, 9_900));
    const language = languages[i % languages.length]!;
    const sentence = `It employs ${count} people.`;
    const say = misleading[i % misleading.length]!;
    const every = Math.floor(chapters / misleadingEach);
    const answerAt = random.whole(chapters / 2, chapters - 1);
    const lines = Array.from({ length: chapters }, (___, at) => {
      const told =
        at === answerAt ? `${name} stands on a hill. ${sentence}` : at % every === 0 ? say(name) : '';
      return [`# Part ${at + 1}`, fillerParagraph(random), [fillerParagraph(random), told].join(' ').trim()];
    }).flat();
    const path = `/files/chronicle-${slug(name)}.docx`;
    const material: Material = {
      path,
      title: name,
      contentType: contentTypes['.docx'],
      bytes: makeWord([`# ${name}`, ...lines]),
      states: [{ about: name, value: count }],
      isIndexed: false,
    };
    const task: Task = {
      id: `buried-${i + 1}-${language}`,
      kind: 'buried',
      question: ask({ relation: 'employees', about: name }, language),
      language: language === 'en' ? undefined : language,
      documentUrl: site + path,
      passages: [sentence],
      isBuried: true,
      value: count,
      isRight: answered(count),
    };
    return { task, material };
  });
  return { tasks: made.map(({ task }) => task), materials: made.map(({ material }) => material) };
}
