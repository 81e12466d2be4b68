import { fenced } from '@errand/skills';

const wrap = fenced('agent_instructions');

/** What the model reads of the agent that its run is by. */
export const instructionsBlock = (instructions: string): string =>
  `This run is by an agent that somebody has set up. Between <agent_instructions> and </agent_instructions> stands what its author wants of every run. Follow it, and what stands above where the two differ.\n\n${wrap(instructions)}`;
