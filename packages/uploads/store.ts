import { ConditionsFailed, deleteItem, putItem, runsPartitions } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import type { AnnouncedUpload } from './upload-id.ts';

export interface Claim {
  /** Distinguishes this request's claim from the claims of others. */
  claimant: string;
  /** Equal for requests that repeat each other. */
  repetition: string | undefined;
}

/** Another request's claim on an upload. */
interface TakenUpload {
  /** Equal for requests that repeat each other. */
  repetition?: string;
}

const keyOf = (agentId: string) => ({ pk: `${runsPartitions.uploadClaim}${agentId}`, sk: 'CLAIM' });

/**
 * Claims an upload for one run. Returns undefined if that succeeds, otherwise the claim that another request holds. The
 * claim outlives the upload id and the run, so that no second run can get the same id.
 */
export async function claimUpload(
  deps: UploadDeps,
  { agentId, expiresAtSeconds }: AnnouncedUpload,
  { claimant, repetition }: Claim,
): Promise<TakenUpload | undefined> {
  try {
    await putItem(deps, {
      condition: 'upload-unclaimed',
      TableName: deps.tables.runs,
      Item: {
        ...keyOf(agentId),
        claimant,
        expiresAtSeconds: expiresAtSeconds + deps.runReadableSeconds,
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

/**
 * Gives up the claim, so that another run can be created with the upload. The SDK repeats a deletion whose answer got
 * lost. The repetition must leave the claim that another request made meanwhile.
 */
export async function releaseUpload(deps: UploadDeps, agentId: string, claimant: string): Promise<void> {
  try {
    await deleteItem(deps, {
      condition: 'claim-ours',
      TableName: deps.tables.runs,
      Key: keyOf(agentId),
      ConditionExpression: 'claimant = :claimant',
      ExpressionAttributeValues: { ':claimant': claimant },
    });
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
  }
}
