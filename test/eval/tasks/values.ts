import { contains, type Kit, type Task } from './task.ts';

const values = ['the blue door', 'seven lamps', 'a letter to Orla'] as const;

/** A value that an earlier run of the account saved. */
export const savedValues = (): Kit => ({
  tasks: values.map((value, i): Task => {
    const name = `keepsake-${i + 1}`;
    return {
      id: `value-${i + 1}`,
      kind: 'value',
      question: `Read the saved value "${name}" and say what it says.`,
      before: [`Save the value "${value}" under the name "${name}".`],
      passages: [value],
      isRight: contains(value),
    };
  }),
});
