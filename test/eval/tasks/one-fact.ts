import { slug } from '../corpus/material.ts';
import { shortDocument, shortKinds } from '../corpus/short-documents.ts';
import { subjectPath } from '../corpus/subject-pages.ts';
import { seeded } from '../random.ts';
import { companyFacts, subjectsOf } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import { answered, type Kit, type Places, type Task } from './task.ts';

const webTasks = 8;

/** A fact that stands on a page which a search finds, or in a short document of each kind. */
export function oneFact(world: World, { site }: Places): Kit {
  const random = seeded('one fact');
  const tasks: Task[] = random.sample(subjectsOf(world), webTasks).map(({ title, facts }, index) => {
    const { question, sentence, value } = random.pick(facts);
    return {
      id: `one-fact-web-${index + 1}`,
      kind: 'one-fact',
      question,
      passages: [sentence],
      homes: [subjectPath(title)],
      value,
      isRight: answered(value),
    };
  });
  const materials = shortKinds.map((kind, index) => {
    const company = world.companies[index]!;
    const material = shortDocument(kind, company.name, companyFacts(company));
    const { question, sentence, value } = random.pick(companyFacts(company));
    tasks.push({
      id: `one-fact${slug(kind)}`,
      kind: 'one-fact',
      question: `${question} The document says it.`,
      documentUrl: site + material.path,
      passages: [sentence],
      value,
      isRight: answered(value),
    });
    return material;
  });
  return { tasks, materials };
}
