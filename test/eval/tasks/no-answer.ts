import { seeded } from '../random.ts';
import { nameMaker } from '../world/names.ts';
import type { World } from '../world/world.ts';
import type { Kit, Outcome, Task } from './task.ts';

/** Says that there is no answer, in any of the usual ways. */
const saysNothingFound = ({ answer }: Outcome): boolean =>
  /\bnot (?:be )?(?:found|known|stated|given|mentioned|available)\b|\bno (?:answer|source|information|page)\b|could not/i.test(
    answer,
  );

/** Things that no page says, of companies that have one and of some that do not exist. */
export function noAnswer({ companies }: World): Kit {
  const newName = nameMaker(seeded('companies that do not exist'), 'shire');
  const questions = [
    ...companies.slice(16, 19).map(({ name }) => `How many ships does ${name} own?`),
    ...Array.from({ length: 3 }, () => `By whom was ${newName()} Foundry founded?`),
  ];
  return {
    tasks: questions.map(
      (question, i): Task => ({
        id: `no-answer-${i + 1}`,
        kind: 'no-answer',
        question,
        passages: [],
        isRight: saysNothingFound,
      }),
    ),
  };
}
