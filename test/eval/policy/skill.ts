/** The answer as the skill wants it. The policy understands three kinds of sentences. */
export function applySkill(skill: string, answer: string): string {
  const [prose = '', ...sources] = answer.split('\n\n');
  const first = /Begin every answer with the line "([^"]+)"/.exec(skill)?.[1] ?? [];
  const last = /End every answer with the line "([^"]+)"/.exec(skill)?.[1] ?? [];
  const shaped = /Write every answer in capital letters/.test(skill) ? prose.toUpperCase() : prose;
  return [first, shaped, sources, last].flat().join('\n\n');
}

/** The file that the skill wants every answer to be saved as. */
export const skillFile = (skill: string): string | undefined =>
  /Save every answer as the file "([^"]+)"/.exec(skill)?.[1];
