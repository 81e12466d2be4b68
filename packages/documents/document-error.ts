const codes = [
  'unsupported',
  'wrong_content',
  'encrypted',
  'broken',
  'too_large',
  'timeout',
  'empty',
] as const;

export type DocumentErrorCode = (typeof codes)[number];

export const isDocumentErrorCode = (code: unknown): code is DocumentErrorCode =>
  codes.some((known) => known === code);

/** A document could not be converted. `message` is one plain sentence for the person who sent it. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
  readonly code: DocumentErrorCode;

  constructor(code: DocumentErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

export const damaged = (extension: string, options?: ErrorOptions): DocumentError =>
  new DocumentError(
    'broken',
    `The ${extension} file could not be read: it is damaged or incomplete.`,
    options,
  );

export function tooSlow(milliseconds: number, options?: ErrorOptions): DocumentError {
  const seconds = Math.round(milliseconds / 100) / 10;
  return new DocumentError('timeout', `The file could not be converted within ${seconds} seconds.`, options);
}

export const needsMemory = (extension: string, options?: ErrorOptions): DocumentError =>
  new DocumentError(
    'too_large',
    `The ${extension} file needs more memory than a conversion may use.`,
    options,
  );
