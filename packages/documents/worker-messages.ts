import type { PackedPassages, Reading, Shown } from '@errand/passages';
import type { ConversionOptions } from './conversion.ts';
import type { DocumentErrorCode } from './document-error.ts';

export interface ReadDocument {
  /** All of its text, as markdown. */
  packed: PackedPassages;
  shown: Shown;
  /** Pages or slides, where the format has them. */
  pages?: number;
}

/** A worker's input. The bytes are moved to it. */
export interface ConversionTask extends ConversionOptions {
  bytes: Uint8Array;
  extension: string;
  reading: Reading;
}

export type ConversionOutcome = { document: ReadDocument } | { code: DocumentErrorCode; message: string };
