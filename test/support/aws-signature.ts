import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';
import type { AwsCredentialIdentity } from '@smithy/types';

/** A hash of node:crypto with the library's interface; with a secret it is an HMAC. */
class Sha256 {
  private readonly state;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.state =
      secret === undefined
        ? createHash('sha256')
        : createHmac('sha256', typeof secret === 'string' ? secret : Buffer.from(secret as Uint8Array));
  }

  update(data: Uint8Array): void {
    this.state.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.state.digest();
  }

  reset(): void {}
}

interface SignedRequest {
  path: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body?: string | Uint8Array;
}

interface Signer {
  service: string;
  region: string;
  credentials: AwsCredentialIdentity;
}

/**
 * The `Authorization` that AWS would expect of a JSON request: the library signs the headers that the request lists, at the
 * time that it gives. Undefined if the request lists or gives none, or does not sign a header that AWS asks for.
 */
export async function expectedAuthorization(
  { path, headers, body = '' }: SignedRequest,
  { service, region, credentials }: Signer,
): Promise<string | undefined> {
  const signed = /SignedHeaders=([^,]+)/.exec(String(headers.authorization))?.[1]?.split(';');
  const time = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date']));
  const asked = Object.keys(headers).filter((name) => name === 'host' || name.startsWith('x-amz-'));
  if (!signed || !time || asked.some((name) => !signed.includes(name))) return undefined;
  const [, year, month, day, hour, minute, second] = time;
  const library = new SignatureV4({ service, region, credentials, sha256: Sha256, applyChecksum: false });
  const { headers: expected } = await library.sign(
    {
      method: 'POST',
      protocol: 'https:',
      hostname: '',
      path,
      query: {},
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      body,
    },
    { signingDate: new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) },
  );
  return expected.authorization;
}
