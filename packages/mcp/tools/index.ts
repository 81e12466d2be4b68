import type { McpTool } from '../tool.ts';
import { ask } from './ask.ts';
import { cancelRunTool } from './cancel-run.ts';
import { decide } from './decide.ts';
import { getRunTool } from './get-run.ts';
import { getSkillTool, listSkillsTool } from './skills.ts';

export { ask };

/** Every tool but those of stored agents, in the order in which agents are shown them. */
export const mcpTools: readonly McpTool[] = [
  ask,
  getRunTool,
  cancelRunTool,
  decide,
  listSkillsTool,
  getSkillTool,
];
