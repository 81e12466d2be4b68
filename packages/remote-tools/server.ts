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

/** A shorter text may be any word. */
const leastSecretCharacters = 4;

/** The texts that nobody but the server may read: the whole value, what stands behind its scheme, and what that says in base64. */
export function secretTexts({ authorization }: Pick<RemoteServer, 'authorization'>): string[] {
  if (authorization === undefined) return [];
  const [scheme = '', ...rest] = authorization.split(' ');
  const token = rest.join(' ') || scheme;
  const login = /^basic$/i.test(scheme) ? Buffer.from(token, 'base64').toString() : '';
  const password = login.slice(login.indexOf(':') + 1);
  return [...new Set([authorization, token, login, password])].filter(
    ({ length }) => length >= leastSecretCharacters,
  );
}

/** How a text may write a secret: as it is, as JSON or an address has it, and in base64. */
const formsOf = (secret: string): string[] => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  encodeURIComponent(secret),
  ...(['base64', 'base64url'] as const).map((form) => Buffer.from(secret).toString(form).replace(/=+$/, '')),
];

/** One for each server: a list has thousands of texts. */
const patterns = new WeakMap<RemoteServer, RegExp>();

function makePattern(server: RemoteServer): RegExp {
  const forms = [...new Set(secretTexts(server).flatMap(formsOf))].sort((a, b) => b.length - a.length);
  // Nothing follows `$`, so without secrets nothing is found.
  const pattern = new RegExp(forms.map(literal).join('|') || '$.', 'gi');
  patterns.set(server, pattern);
  return pattern;
}

const literal = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The text without the server's authorization. */
export const withoutSecrets = (server: RemoteServer, text: string): string =>
  text.replace(patterns.get(server) ?? makePattern(server), '[authorization]');
