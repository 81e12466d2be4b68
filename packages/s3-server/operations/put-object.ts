import type { ObjectRecord } from '../store/records.ts';
import { openBody } from '../wire/body.ts';
import { answerEmpty, type Operation } from './answer.ts';
import { keptHeaders } from './object-headers.ts';

export const putObject: Operation = async ({ bucket, clock, request, payloadHash }) => {
  const headers = keptHeaders(request);
  const body = openBody(request, payloadHash);
  const segment = await bucket.segments.write(body);
  const entityTag = body.entityTag();
  const record: ObjectRecord = {
    key: request.key,
    segments: [segment],
    bytes: body.bytes,
    entityTag,
    modifiedAtMilliseconds: clock(),
    headers,
  };
  await bucket.objects.put(record);
  return answerEmpty(200, { etag: entityTag });
};
