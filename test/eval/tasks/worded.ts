import { subjectPath } from '../corpus/subject-pages.ts';
import { seeded } from '../random.ts';
import { type Relation, subjectsOf } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import { answered, type Kit, type Task } from './task.ts';
import { ask, languages } from './wordings.ts';

const perLanguage = 6;

/** Facts that pages state, asked for in words that are not the pages', in four languages. */
export function worded(world: World): Kit {
  const random = seeded('worded');
  const subjects = random.sample(subjectsOf(world), perLanguage * languages.length);
  const asked = new Set<Relation>();
  const tasks = subjects.map(({ title, facts }, i): Task => {
    const language = languages[i % languages.length]!;
    const fresh = facts.filter(({ relation }) => !asked.has(relation));
    const fact = random.pick(fresh.length > 0 ? fresh : facts);
    asked.add(fact.relation);
    return {
      id: `worded-${i + 1}-${language}`,
      kind: 'worded',
      question: ask(fact, language),
      language: language === 'en' ? undefined : language,
      passages: [fact.sentence],
      homes: [subjectPath(title)],
      value: fact.value.replace(/ (?:metres|kilograms|crowns)$/, ''),
      isRight: answered(fact.value.replace(/ (?:metres|kilograms|crowns)$/, '')),
    };
  });
  return { tasks, subjects: subjects.map(({ title }) => title) };
}
