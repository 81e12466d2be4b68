import { createHash, createHmac } from 'node:crypto';
import { testCredentials } from './start-test-store.ts';

interface SignedTestRequest {
  headers: Record<string, string>;
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** The tests have their own signing code, so that the server's code is not compared with itself. */
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
  return { headers };
}
