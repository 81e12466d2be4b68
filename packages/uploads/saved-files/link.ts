import { DomainError, limits, toIso, toSeconds } from '@errand/platform';
import { isSameSignature, signFields } from '../signature.ts';

/** 128 bits in base64url. The signature is short because models repeat the link. */
const signatureCharacters = 22;

const wholeSeconds = /^[0-9]{1,12}$/;

interface LinkedFile {
  agentId: string;
  name: string;
}

export interface FileLink {
  url: string;
  expiresAt: string;
}

const sign = (secret: string, { agentId, name }: LinkedFile, expires: string): string =>
  signFields(secret, 'file-link', [agentId, name, expires]).slice(0, signatureCharacters);

/** Makes a link that anybody can follow until it expires. */
export function makeFileLink(
  secret: string,
  origin: string,
  file: LinkedFile,
  nowMilliseconds: number,
  lifetimeSeconds: number = limits.savedFileLinkSeconds,
): FileLink {
  const expires = toSeconds(nowMilliseconds) + lifetimeSeconds;
  const query = new URLSearchParams({
    expires: String(expires),
    signature: sign(secret, file, String(expires)),
  });
  const path = `/v1/files/${file.agentId}/${encodeURIComponent(file.name)}`;
  return { url: `${origin}${path}?${query}`, expiresAt: toIso(expires * 1000) };
}

/** Throws `link_altered` unless the signature is ours for this file and time, and `link_expired` after that time. */
export function checkFileLink(
  secret: string,
  file: LinkedFile,
  { expires = '', signature = '' }: { expires?: string; signature?: string | undefined },
  nowMilliseconds: number,
): void {
  if (!wholeSeconds.test(expires) || !isSameSignature(sign(secret, file, expires), signature))
    throw new DomainError('link_altered');
  if (Number(expires) * 1000 <= nowMilliseconds) throw new DomainError('link_expired');
}
