import type { Reading } from '@errand/passages';
import { filePrefixes } from '@errand/platform';
import { type DocumentErrorCode, isDocumentErrorCode } from '../document-error.ts';

/** What the converter is asked. The document and what is read of it pass through the bucket: they may be larger than a call. */
export interface ConversionCall {
  /** Names the objects of this conversion in the bucket. */
  id: string;
  /** The document's key. */
  key: string;
  extension: string;
  charset?: string;
  reading: Reading;
}

/** The converter's answer. `shown` and the packed passages are in the bucket if there is no error. */
export type ConversionAnswer = { pages?: number } | { code: DocumentErrorCode; message: string };

/** The keys of one conversion. What stays of it goes after a day. */
export const keysOf = (id: string) => {
  const folder = `${filePrefixes.conversions}${id}/`;
  return {
    source: `${folder}source`,
    packed: `${folder}packed`,
    shown: `${folder}shown.json`,
    cancelled: `${folder}cancelled`,
  };
};

/** Whether a function's answer is one of the converter. Another release of it may answer otherwise. */
export function isConversionAnswer(answer: unknown): answer is ConversionAnswer {
  if (typeof answer !== 'object' || answer === null) return false;
  const { code, message, pages } = answer as Record<string, unknown>;
  if (code !== undefined) return isDocumentErrorCode(code) && typeof message === 'string';
  return pages === undefined || typeof pages === 'number';
}
