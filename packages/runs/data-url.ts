export const dataUrl = (bytes: Uint8Array, contentType: string): string =>
  `data:${contentType};base64,${Buffer.from(bytes).toString('base64')}`;
