import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import {
  DomainError,
  describeError,
  isDomainError,
  limits,
  newUuid,
  type Principal,
  toSeconds,
} from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import { fileKind } from './file-kind.ts';
import { discard, withStorage } from './storage/storage.ts';
import { fieldIssue, requireUploads, type Upload, uploadKey } from './upload.ts';
import { type AnnouncedUpload, readUploadId } from './upload-id.ts';

/**
 * The file that was uploaded with this id, for the one run that may use it. `invalid_request` says whether the id is
 * not known, has expired, was used, or has no file yet. Given back, it can be used again unless its content was refused.
 * `queue_unavailable` while another request of the same `repetition` has it.
 */
export async function takeUpload(
  deps: UploadDeps,
  principal: Principal,
  uploadId: string,
  repetition?: string,
): Promise<Upload> {
  requireUploads(deps);
  const announced = readUploadId(deps.uploads.linkSecret, principal.accountId, uploadId);
  if (!announced) throw fieldIssue('uploadId', 'is not known');
  const { agentId, filename, bytes, expiresAtSeconds } = announced;
  if (toSeconds(deps.clock()) >= expiresAtSeconds) throw fieldIssue('uploadId', 'has expired');
  const kind = fileKind(filename, { conversionEnabled: deps.uploads.documentConversionEnabled });
  const key = uploadKey(agentId, filename);
  await claim(deps, announced, repetition);
  try {
    const size = await withStorage(deps, () => deps.files.size(key));
    if (size === undefined) throw fieldIssue('uploadId', 'has no file yet: upload it to its url first');
    if (size !== bytes) throw fieldIssue('uploadId', 'has a file of another size than was announced');
  } catch (error) {
    await release(deps, agentId);
    throw error;
  }
  const drop = async (reason?: unknown) => {
    if (isDomainError(reason, 'upload_unreadable') && !reason.details.passing) await discard(deps, key);
    await release(deps, agentId);
  };
  return { agentId, key, filename, kind, drop };
}

const claimKey = ({ tables }: UploadDeps, agentId: string) => ({
  TableName: tables.runs,
  Key: { pk: `UPLOAD#${agentId}`, sk: 'CLAIM' },
});

/** Outlives the id, and a run that is deleted meanwhile: no second run can have this one's id. */
async function claim(
  deps: UploadDeps,
  { agentId, expiresAtSeconds }: AnnouncedUpload,
  repetition: string | undefined,
): Promise<void> {
  const { TableName, Key } = claimKey(deps, agentId);
  const claimant = newUuid();
  try {
    await deps.dynamodb.send(
      new PutCommand({
        TableName,
        Item: {
          ...Key,
          claimant,
          expiresAtSeconds: expiresAtSeconds + limits.runReadableSeconds,
          ...(repetition !== undefined && { repetition }),
        },
        ConditionExpression: 'attribute_not_exists(pk)',
      }),
    );
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const { Item: taken } = await deps.dynamodb.send(
      new GetCommand({ TableName, Key, ConsistentRead: true }),
    );
    // A claim whose answer got lost is refused when it is sent again, though it is ours.
    if (taken?.claimant === claimant) return;
    if (repetition !== undefined && taken?.repetition === repetition)
      throw new DomainError('queue_unavailable');
    throw fieldIssue('uploadId', 'was used already');
  }
}

/** A claim that cannot be given back costs the caller another upload, and nothing else. */
async function release(deps: UploadDeps, agentId: string): Promise<void> {
  try {
    await deps.dynamodb.send(new DeleteCommand(claimKey(deps, agentId)));
  } catch (error) {
    deps.log.warn('upload not given back', describeError(error));
  }
}
