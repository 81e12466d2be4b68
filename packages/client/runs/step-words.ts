const words: Record<string, string> = {
  'Executing tool': 'Reading what came along',
  'LLM agentic loop': 'Working on the question',
  'Confirming the answer is complete before stopping': 'Checking the answer',
};

/** What people read in place of the `description` of a `step_start` event. */
export const stepWords = (description: string): string => words[description] ?? description;
