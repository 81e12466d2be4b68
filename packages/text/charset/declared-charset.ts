const declarationBytes = 4096;

/** The charset that a `Content-Type` header names. */
export function headerCharset(contentType = ''): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
}

/** The charset that a text declares in its first 4 kB: in a `meta` element of HTML, or in an XML declaration. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, declarationBytes));
  const text = head.toString('latin1');
  const declared =
    /<meta\s[^<>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(text)?.[1] ??
    /^\s*<\?xml\s[^<>]*?encoding\s*=\s*["']([\w.:-]+)["']/i.exec(text)?.[1];
  // A text whose declaration can be read as ASCII is not in UTF-16, whatever the declaration says (HTML standard,
  // "prescan a byte stream").
  return declared?.replace(/^utf-16.*/i, 'utf-8');
}
