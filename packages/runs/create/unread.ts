import { ToolError } from '@errand/agent';
import { DocumentError } from '@errand/documents';
import { describeThreadError } from '@errand/passages';
import { DomainError, describeError, type Log, ThreadError } from '@errand/platform';
import type { Asker } from './see-upload.ts';

export const unreadable = (reason: string) => new DomainError('upload_unreadable', { reason });
export const unreadNow = (reason: string) =>
  new DomainError('upload_unreadable', { reason, temporary: true });

type Reader = Pick<Asker, 'principal' | 'requestId'>;

/** The refusal of a request whose file had no time left. If the file was in the queue for most of it, that is not the file's fault. */
export function refuseLate(
  { log }: { log: Log },
  { principal: { accountId }, requestId }: Reader,
  { waited, worked }: { waited: number; worked: number },
  readMilliseconds: number,
): DomainError {
  const [waitedMilliseconds, workedMilliseconds] = [Math.round(waited), Math.round(worked)];
  log.warn('upload not read in time', { accountId, requestId, waitedMilliseconds, workedMilliseconds });
  if (waited > worked) return new DomainError('queue_unavailable');
  return unreadNow(`The file could not be read within ${readMilliseconds / 1000} seconds.`);
}

/** The failures of reading a file, in words for the caller. Any other error stays as it is. */
export function explainUnread(
  { log }: { log: Log },
  { principal: { accountId }, requestId }: Reader,
  error: unknown,
): unknown {
  const thread = error instanceof DocumentError ? error.cause : error;
  if (thread instanceof ThreadError)
    log.warn('upload not read', { accountId, requestId, ...describeError(thread) });
  if (error instanceof DocumentError) return unreadable(error.message);
  if (error instanceof ThreadError) return unreadNow(describeThreadError(error));
  if (error instanceof ToolError) return unreadNow(error.message);
  return error;
}
