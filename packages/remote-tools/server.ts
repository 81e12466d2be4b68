import type { repeatRules } from '@errand/platform';
import { authorizationSecrets, hideSecrets } from '@errand/text';

/** A server of tools that a run uses. */
export interface RemoteServer {
  /** The beginning of its tools' names. */
  label: string;
  url: string;
  /** A token, or the whole value of the header. It goes to this server alone. */
  authorization?: string;
  /** The header that tells the server of the run's trace, if it is to be told. */
  traceparent?: string | undefined;
  /** The only tools that are offered, by the server's names. All of them if absent. */
  allowedTools?: readonly string[];
  /** Whether calls whose outcome is unknown are made again, whatever the tools say of themselves. */
  repeat?: (typeof repeatRules)[number];
}

/** The value of the header: a text without a scheme is a bearer token. */
export const authorizationHeader = (authorization: string): string =>
  authorization.includes(' ') ? authorization : `Bearer ${authorization}`;

/** The texts that nobody but the server may read. */
export const secretTexts = ({ authorization }: Pick<RemoteServer, 'authorization'>): string[] =>
  authorization === undefined ? [] : authorizationSecrets(authorization);

/** Made once for each server, because a list of tools has thousands of texts. */
const hiding = new WeakMap<RemoteServer, (text: string) => string>();

/** The text without the server's authorization, wherever it stands: other tenants may use the operator's servers. */
export function withoutSecrets(server: RemoteServer, text: string): string {
  const hide = hiding.get(server) ?? hideSecrets(secretTexts(server), '[authorization]', 0);
  hiding.set(server, hide);
  return hide(text);
}
