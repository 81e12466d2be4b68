/** What a run asks for beside the answers to its calls: those are asked for with each call. */
export const ownFields = <Field extends { name: string }>(expected: readonly Field[]): Field[] =>
  expected.filter(({ name }) => name !== 'functionResults' && name !== 'approvals');
