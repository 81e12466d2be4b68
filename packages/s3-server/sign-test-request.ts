import { createHash, createHmac } from 'node:crypto';
import { testCredentials } from './start-test-store.ts';

/** SigV4 written out from its description, so that the server is not tested against its own code. */
export interface SignedTestRequest {
  headers: Record<string, string>;
  signature: string;
  /** The signature of one link in the chain of a streaming upload. */
  signLink(kind: 'PAYLOAD' | 'TRAILER', previous: string, hashes: string[]): string;
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

export function signTestRequest(
  method: string,
  url: URL,
  payloadHash: string,
  more: Record<string, string>,
): SignedTestRequest {
  const longDate = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
  const scope = `${longDate.slice(0, 8)}/eu-west-1/s3/aws4_request`;
  const headers: Record<string, string> = {
    ...more,
    host: url.host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': longDate,
  };
  const names = Object.keys(headers).sort();
  const lines = names.map((name) => `${name}:${headers[name]}`);
  const canonical = [method, url.pathname, '', ...lines, '', names.join(';'), payloadHash].join('\n');
  const key = [...scope.split('/')].reduce<Buffer>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    Buffer.from(`AWS4${testCredentials.secretAccessKey}`),
  );
  const sign = (...text: string[]) => createHmac('sha256', key).update(text.join('\n')).digest('hex');
  const signature = sign('AWS4-HMAC-SHA256', longDate, scope, sha256(canonical));
  const credential = `${testCredentials.accessKeyId}/${scope}`;
  headers.authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names.join(';')}, Signature=${signature}`;
  return {
    headers,
    signature,
    signLink: (kind, previous, hashes) =>
      sign(`AWS4-HMAC-SHA256-${kind}`, longDate, scope, previous, ...hashes),
  };
}

/** The chunks of a body, each signed after the one before; `trailer` is sent and signed behind the last. */
export function encodeSignedChunks(
  request: SignedTestRequest,
  pieces: readonly string[],
  trailer: Record<string, string> = {},
): string {
  let previous = request.signature;
  const chunks = [...pieces, ''].map((piece) => {
    previous = request.signLink('PAYLOAD', previous, [sha256(''), sha256(piece)]);
    const end = piece === '' ? '' : '\r\n';
    return `${Buffer.byteLength(piece).toString(16)};chunk-signature=${previous}\r\n${piece}${end}`;
  });
  const lines = Object.entries(trailer).map(([name, value]) => `${name}:${value}`);
  if (lines.length > 0) {
    const signed = sha256(lines.map((line) => `${line}\n`).join(''));
    lines.push(`x-amz-trailer-signature:${request.signLink('TRAILER', previous, [signed])}`);
  }
  return `${chunks.join('')}${lines.map((line) => `${line}\r\n`).join('')}\r\n`;
}
