import type { Reading } from '@errand/passages';
import type { ConversionOptions } from './conversion.ts';
import type { DocumentErrorCode } from './document-error.ts';
import type { ReadDocument } from './read-document.ts';

/** A worker's input. The bytes are moved to it. */
export interface ConversionTask extends ConversionOptions {
  bytes: Uint8Array;
  extension: string;
  reading: Reading;
}

export type ConversionOutcome = { document: ReadDocument } | { code: DocumentErrorCode; message: string };
