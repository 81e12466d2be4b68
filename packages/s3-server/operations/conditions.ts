import type { ObjectRecord } from '../store/records.ts';
import { S3Error } from '../wire/errors.ts';
import type { S3Request } from '../wire/request.ts';

/** True if the reader has this object already (304). Throws PreconditionFailed. */
export function isUnchanged(request: S3Request, record: ObjectRecord): boolean {
  const modifiedAt = Math.floor(record.modifiedAtMilliseconds / 1000) * 1000;
  const [match, noneMatch, modifiedSince, unmodifiedSince] = [
    'if-match',
    'if-none-match',
    'if-modified-since',
    'if-unmodified-since',
  ].map((name) => request.headers.get(name));
  if (match !== undefined) {
    if (!matches(match, record)) throw new S3Error('PreconditionFailed');
  } else if (unmodifiedSince !== undefined && modifiedAt > Date.parse(unmodifiedSince)) {
    throw new S3Error('PreconditionFailed');
  }
  if (noneMatch !== undefined) return matches(noneMatch, record);
  return modifiedSince !== undefined && modifiedAt <= Date.parse(modifiedSince);
}

/** Refuses a write whose conditions on the object that is there now do not hold. */
export function allowWrite(request: S3Request): (current: ObjectRecord | undefined) => void {
  const match = request.headers.get('if-match');
  const noneMatch = request.headers.get('if-none-match');
  return (current) => {
    if (noneMatch !== undefined && current && matches(noneMatch, current))
      throw new S3Error('PreconditionFailed');
    if (match === undefined) return;
    if (!current) throw new S3Error('NoSuchKey');
    if (!matches(match, current)) throw new S3Error('PreconditionFailed');
  };
}

function matches(condition: string, record: ObjectRecord): boolean {
  const wanted = condition.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  return wanted.includes('*') || wanted.includes(record.entityTag.replaceAll('"', ''));
}
