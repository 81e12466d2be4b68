import { ConditionsFailed, deleteItem, limits, newUuid, putItem, runsPartitions } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import type { AnnouncedUpload } from './upload-id.ts';

/** Another request's claim on an upload. */
export interface TakenUpload {
  /** Equal for requests that repeat each other. */
  repetition?: string;
}

const keyOf = (agentId: string) => ({ pk: `${runsPartitions.uploadClaim}${agentId}`, sk: 'CLAIM' });

/**
 * Claims an upload for one run. Returns the claim that another request holds; undefined if the upload is ours now. The
 * claim outlives the upload id and the run, so that no second run can get the same id.
 */
export async function claimUpload(
  deps: UploadDeps,
  { agentId, expiresAtSeconds }: AnnouncedUpload,
  repetition: string | undefined,
): Promise<TakenUpload | undefined> {
  const claimant = newUuid();
  try {
    await putItem(deps, {
      condition: 'upload-unclaimed',
      TableName: deps.tables.runs,
      Item: {
        ...keyOf(agentId),
        claimant,
        expiresAtSeconds: expiresAtSeconds + limits.runReadableSeconds,
        ...(repetition !== undefined && { repetition }),
      },
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const taken = error.item('upload-unclaimed') as (TakenUpload & { claimant: string }) | undefined;
    // The SDK sends a claim again if its answer got lost. The second one is refused, though the upload is ours.
    return taken?.claimant === claimant ? undefined : (taken ?? {});
  }
}

/** Gives up the claim, so that another run can be created with the upload. */
export async function releaseUpload(deps: UploadDeps, agentId: string): Promise<void> {
  await deleteItem(deps, { TableName: deps.tables.runs, Key: keyOf(agentId) });
}
