import type { Conversion, ConversionOptions } from './conversion.ts';
import type { DocumentErrorCode } from './document-error.ts';

/** A worker's input. The bytes are moved to it. */
export interface ConversionTask extends ConversionOptions {
  bytes: Uint8Array<ArrayBuffer>;
  extension: string;
}

export type ConversionOutcome = { conversion: Conversion } | { code: DocumentErrorCode; message: string };
