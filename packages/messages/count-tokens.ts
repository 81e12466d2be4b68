import { checkModel } from '@errand/accounts';
import { type ChatDeps, readChatBody } from '@errand/chat';
import { countFileTokens, countText } from '@errand/models';
import type { AuthenticatedEnv, DeadlineEnv } from '@errand/platform';
import { DomainError, describeError, requestLog, ThreadError } from '@errand/platform';
import { resolveSkill, showSkill } from '@errand/skills';
import type { Context } from 'hono';
import { readCountRequest } from './request/read-request.ts';
import { toCompletion } from './request/to-completion.ts';

type CountContext = Context<AuthenticatedEnv & DeadlineEnv>;

/**
 * Counts the input of a request, as its upstream does if that speaks the protocol itself, else by o200k. It costs nothing. Throws
 * `DomainError`.
 */
export async function countTokens(all: ChatDeps, c: CountContext): Promise<{ input_tokens: number }> {
  const { principal, deadline } = c.var;
  const deps = { ...all, log: requestLog(c, all.log) };
  const asked = await readCountRequest(deps, c);
  const text = JSON.stringify(toCompletion(deps, asked));
  const { body, model, sent } = readChatBody(deps.catalogue, text, principal);
  checkModel(principal, body.model, model.id);
  const skill = await resolveSkill(deps.skills, principal, body.skills);
  showSkill(c, skill);
  const options = { signal: deadline.signal, owner: principal.accountId };
  const tokens = await countOwn(deps, { sent, files: countFileTokens(body) }, options);
  return { input_tokens: tokens + (skill?.injectedTokens ?? 0) };
}

async function countOwn(
  { log }: Pick<ChatDeps, 'log'>,
  { sent, files }: { sent: Buffer; files: number },
  options: { signal: AbortSignal; owner: string },
): Promise<number> {
  try {
    return files + (await countText(sent, Number.MAX_SAFE_INTEGER, options));
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    log.warn('input not counted', describeError(error));
    throw new DomainError('at_capacity');
  }
}
