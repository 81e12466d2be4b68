/** The answer as the skill wants it. The policy understands three kinds of sentences. */
export function applySkill(skill: string, answer: string): string {
  let shaped = /Write every answer in capital letters/.test(skill) ? answer.toUpperCase() : answer;
  const first = /Begin every answer with the line "([^"]+)"/.exec(skill)?.[1];
  const last = /End every answer with the line "([^"]+)"/.exec(skill)?.[1];
  if (first !== undefined) shaped = `${first}\n\n${shaped}`;
  if (last !== undefined) shaped = `${shaped}\n\n${last}`;
  return shaped;
}

/** The file that the skill wants every answer to be saved as. */
export const skillFile = (skill: string): string | undefined =>
  /Save every answer as the file "([^"]+)"/.exec(skill)?.[1];
