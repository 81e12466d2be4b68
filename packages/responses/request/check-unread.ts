import { type Catalogue, findModel } from '@errand/models';
import { fieldIssue, limits } from '@errand/platform';
import { type NativeRequest, nativeBytes } from '../native/body.ts';

/**
 * Throws `invalid_request` for a request that is much longer than what its model reads of it. A response is kept and shown with
 * all that was sent, and is paid for by what its model reads.
 */
export function checkUnread(
  { catalogue }: { catalogue: Catalogue },
  asked: NativeRequest,
  completion: string,
): void {
  const sent = JSON.stringify({ ...asked.request, input: asked.input }).length;
  const most = limits.unreadBytes + asked.input.length * limits.unreadBytesPerItem;
  if (sent - completion.length <= most) return;
  const model = findModel(catalogue, asked.request.model)?.model;
  const upstreams = model ? [model.upstream, ...model.fallbacks] : [];
  const isNative = upstreams.some(({ api }) => api === 'responses');
  if (isNative && sent - nativeBytes(asked) <= most) return;
  throw fieldIssue('', `The request has more than ${most} bytes that its model does not read.`);
}
