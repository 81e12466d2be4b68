import type { Command } from './command.ts';
import { accountCommands } from './commands/account.ts';
import { agentCommands } from './commands/agent.ts';
import { checkCommands } from './commands/check.ts';
import { creditsCommands } from './commands/credits.ts';
import { decisionsCommands } from './commands/decisions.ts';
import { keyCommands } from './commands/key.ts';
import { organisationCommands } from './commands/organisation.ts';
import { runCommands } from './commands/run.ts';
import { scheduleCommands } from './commands/schedule.ts';
import { skillCommands } from './commands/skill.ts';
import { usageCommands } from './commands/usage.ts';

/** Every command. Each noun has a file. */
export const commands: readonly Command[] = [
  ...organisationCommands,
  ...accountCommands,
  ...keyCommands,
  ...creditsCommands,
  ...usageCommands,
  ...runCommands,
  ...scheduleCommands,
  ...skillCommands,
  ...agentCommands,
  ...checkCommands,
  ...decisionsCommands,
];
