import type { AccountsDeps, PayingEnv } from '@errand/accounts';
import type { DecisionDeps } from '@errand/decisions';
import type { Log } from '@errand/platform';
import type { CreateRunDeps } from '@errand/runs';
import type { SkillsDeps } from '@errand/skills';
import type { Context } from 'hono';

export interface McpDeps {
  accounts: AccountsDeps;
  log: Log;
  runs: CreateRunDeps;
  decisions: DecisionDeps;
  skills: SkillsDeps;
}

/** The HTTP request that a call came with. */
export type McpContext = Context<PayingEnv>;
