import type { Clock } from '../clock.ts';
import type { Buckets } from '../store/buckets.ts';
import type { S3Request } from '../wire/request.ts';
import type { VerifiedRequest } from '../wire/verify-signature.ts';
import { writeXml, type XmlValue } from '../wire/xml.ts';

export interface Exchange {
  buckets: Buckets;
  clock: Clock;
  request: S3Request;
  verified: VerifiedRequest;
}

export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** A generator is always ended, also when the client has gone. */
  body?: string | AsyncGenerator<Buffer>;
}

export type Operation = (exchange: Exchange) => Promise<Answer>;

export function answerEmpty(status: number, headers: Record<string, string> = {}): Answer {
  return { status, headers };
}

export function answerXml(name: string, value: XmlValue, headers: Record<string, string> = {}): Answer {
  return {
    status: 200,
    headers: { 'content-type': 'application/xml', ...headers },
    body: writeXml(name, value),
  };
}
