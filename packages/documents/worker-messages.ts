import type { Conversion, ConversionOptions } from './conversion.ts';
import type { DocumentErrorCode } from './document-error.ts';

/** What a worker is started with; the bytes are its own from then on. */
export interface ConversionTask extends ConversionOptions {
  bytes: Uint8Array<ArrayBuffer>;
  extension: string;
}

export type ConversionOutcome = { conversion: Conversion } | { code: DocumentErrorCode; message: string };
