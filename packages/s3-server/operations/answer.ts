import type { Clock } from '../clock.ts';
import type { Bucket } from '../store/bucket.ts';
import type { S3Request } from '../wire/request.ts';
import { writeXml, type XmlValue } from '../wire/xml.ts';

interface Exchange {
  bucket: Bucket;
  clock: Clock;
  request: S3Request;
  /** The `x-amz-content-sha256` that was signed. */
  payloadHash: string;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  body?: string | AsyncIterable<Buffer>;
  /** Called once, when the answer has been sent or the client has gone. */
  release?(): Promise<void>;
}

export type Operation = (exchange: Exchange) => Promise<Answer>;

export function answerEmpty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers };
}

export function answerXml(name: string, value: XmlValue): Answer {
  return { status: 200, headers: { 'content-type': 'application/xml' }, body: writeXml(name, value) };
}
