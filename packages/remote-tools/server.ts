/** A server of tools that a run uses. */
export interface RemoteServer {
  /** The beginning of its tools' names. */
  label: string;
  url: string;
  /** A token, or the whole value of the header. It goes to this server alone. */
  authorization?: string;
  /** The only tools that are offered, by the server's names. All of them if absent. */
  allowedTools?: readonly string[];
}

/** The value of the header: a text without a scheme is a bearer token. */
export const authorizationHeader = (authorization: string): string =>
  authorization.includes(' ') ? authorization : `Bearer ${authorization}`;

/** The texts that nobody but the server may read: the whole value, and what stands behind its scheme. */
export const secretTexts = ({ authorization }: Pick<RemoteServer, 'authorization'>): string[] =>
  authorization === undefined
    ? []
    : [...new Set([authorization, authorization.slice(authorization.indexOf(' ') + 1)])].filter(Boolean);

const mask = '[authorization]';

/** The text without the server's authorization, plain or as a JSON string has it. */
export function withoutSecrets(server: RemoteServer, text: string): string {
  const forms = secretTexts(server).flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
  return forms.reduce((masked, form) => masked.replaceAll(form, mask), text);
}
