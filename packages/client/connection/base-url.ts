function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new TypeError('The base URL is no URL.');
  }
}

/** The address without what the paths of the service begin with. Errors never repeat it: it may have a password. */
export function readBaseUrl(text: string): string {
  const url = parseUrl(text);
  if (!/^https?:$/.test(url.protocol))
    throw new TypeError('The base URL must begin with http:// or https://.');
  if (url.username || url.password)
    throw new TypeError('The base URL must have no user name and no password.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '').replace(/\/v1$/, '');
}

/** An origin as links are compared with it. */
export function readOrigin(text: string): string {
  if (URL.canParse(text) && /^https?:\/\/[^/?#@]+\/?$/i.test(text)) return new URL(text).origin;
  throw new TypeError('A storage origin must be written such as https://storage.example.com:9000.');
}
