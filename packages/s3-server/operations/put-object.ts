import type { ObjectRecord } from '../store/records.ts';
import { openBody } from '../wire/body.ts';
import { answerEmpty, type Operation } from './answer.ts';
import { allowWrite } from './conditions.ts';
import { checksumHeaders, keptHeaders } from './object-headers.ts';

export const putObject: Operation = async ({ buckets, clock, request, verified }) => {
  const bucket = buckets.get(request.bucket);
  const headers = keptHeaders(request);
  const allow = allowWrite(request);
  allow(bucket.objects.get(request.key));
  const body = openBody(request, verified);
  const segment = await bucket.segments.write(body.chunks, () => body.digests().bytes);
  const { bytes, md5, checksum } = body.digests();
  const record: ObjectRecord = {
    key: request.key,
    segments: [segment],
    bytes,
    entityTag: `"${md5.toString('hex')}"`,
    modifiedAtMilliseconds: clock(),
    headers,
    ...(checksum && { checksum }),
  };
  await bucket.objects.put(record, allow);
  return answerEmpty(200, { etag: record.entityTag, ...checksumHeaders(record) });
};
