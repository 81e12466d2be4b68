import { isStillTrue, type Notice } from '@errand/money';
import { ConditionsFailed, limits, transact } from '@errand/platform';
import type { SenderDeps } from '../deps.ts';
import { newMessage, type Told } from '../message.ts';
import { queueMessage } from '../queue.ts';
import { messageWrite, toldWrite } from '../writes.ts';
import { fanOut } from './fan-out.ts';

/** Sends a notice about an account's money, once, if the notice is still true. */
export async function tellNotice(deps: SenderDeps, notice: Notice): Promise<void> {
  if (!(await isStillTrue(deps, notice))) return;
  const source = sourceOf(notice);
  // If this process dies after the write, the queued pointer still leads to the message.
  await queueMessage(deps, { source, accountId: notice.accountId }, limits.webhookHopSeconds);
  try {
    const message = newMessage(deps, toldOf(notice));
    await transact(deps, [toldWrite(deps, source), messageWrite(deps, source, message)]);
  } catch (error) {
    if (error instanceof ConditionsFailed) return;
    throw error;
  }
  await fanOut(deps, source);
}

const sourceOf = (notice: Notice): string =>
  notice.type === 'credits.low'
    ? `credits#${notice.accountId}#${notice.creditId}`
    : `budget#${notice.accountId}#${notice.keyId}#${notice.period}`;

function toldOf(notice: Notice): Told {
  const { type, accountId } = notice;
  if (type === 'credits.low') return { type, accountId, data: { accountId } };
  const { keyId, period } = notice;
  return { type, accountId, keyId, data: { keyId, period } };
}
