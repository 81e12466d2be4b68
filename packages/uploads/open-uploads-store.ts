import { ConditionsFailed, limits, type NamedWrite, runsPartitions, updateItem } from '@errand/platform';
import type { UploadDeps } from './deps.ts';
import type { AnnouncedUpload } from './upload-id.ts';

type NamedUpload = Pick<AnnouncedUpload, 'agentId' | 'expiresAtSeconds'>;

const keyOf = (accountId: string) => ({ pk: `${runsPartitions.openUploads}${accountId}`, sk: 'OPEN' });

/** An open upload's name tells when it expires, so that whoever finds it too late can forget it. */
export const nameOf = ({ agentId, expiresAtSeconds }: NamedUpload): string =>
  `${expiresAtSeconds}#${agentId}`;

export const expiryOf = (name: string): number => Number(name.split('#')[0]);

/** Adds an upload if there is room. Returns undefined if that succeeds, otherwise the names of those that are there. */
export async function addOpenUpload(
  deps: UploadDeps,
  accountId: string,
  upload: NamedUpload,
): Promise<string[] | undefined> {
  try {
    await updateItem(deps, {
      condition: 'upload-has-room',
      TableName: deps.tables.runs,
      Key: keyOf(accountId),
      UpdateExpression: 'ADD openUploads :names SET expiresAtSeconds = :expires',
      ConditionExpression: 'attribute_not_exists(openUploads) OR size(openUploads) < :most',
      ExpressionAttributeValues: {
        ':names': new Set([nameOf(upload)]),
        ':expires': upload.expiresAtSeconds,
        ':most': limits.openUploads,
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionsFailed)) throw error;
    const item = error.item('upload-has-room');
    return [...((item?.openUploads ?? []) as Iterable<string>)];
  }
}

/** Removes uploads that have expired. */
export async function forgetOpenUploads(
  deps: UploadDeps,
  accountId: string,
  names: readonly string[],
): Promise<void> {
  await updateItem(deps, removal(deps, accountId, names));
}

/** Removes an upload that a run has taken. */
export const closeUploadWrite = (
  deps: Pick<UploadDeps, 'tables'>,
  accountId: string,
  upload: NamedUpload,
): NamedWrite => ({ Update: removal(deps, accountId, [nameOf(upload)]) });

const removal = ({ tables }: Pick<UploadDeps, 'tables'>, accountId: string, names: readonly string[]) => ({
  TableName: tables.runs,
  Key: keyOf(accountId),
  // The update makes an item that is gone anew, and that one has to expire too.
  UpdateExpression:
    'DELETE openUploads :names SET expiresAtSeconds = if_not_exists(expiresAtSeconds, :expires)',
  ExpressionAttributeValues: { ':names': new Set(names), ':expires': Math.max(...names.map(expiryOf)) },
});
