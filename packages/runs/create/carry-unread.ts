import { unreadOf } from '@errand/agent';
import { copyUpload, type UploadDeps } from '@errand/uploads';
import type { RunBody } from '../schema.ts';
import type { FollowedRun } from './follow.ts';
import { hasFile, type RunRequest } from './request.ts';

/**
 * The request with what the run before had not read when it was stopped, as if the caller had sent that again. What the caller sends in the
 * same field comes in its place. A file that was sent is taken over: branches of stopped runs would be many files of which none is paid for.
 */
export function carryUnread(
  deps: UploadDeps,
  request: RunRequest<RunBody>,
  { input: { agent, uploadKey }, state }: FollowedRun,
): RunRequest<RunBody> {
  const { documentUrl, audioUrl, recording } = unreadOf(agent, state);
  const { body } = request;
  const file =
    recording && uploadKey !== undefined && !hasFile(request)
      ? { ...copyUpload(deps, { filename: recording.filename, key: uploadKey }), takenOver: uploadKey }
      : {};
  return {
    ...request,
    ...file,
    body: {
      ...body,
      documentUrl: body.documentUrl ?? documentUrl,
      audioUrl: body.audioUrl ?? audioUrl,
    },
  };
}
