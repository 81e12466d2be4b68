export { headerCharset } from './charset/declared-charset.ts';
export { decodeText } from './charset/decode-text.ts';
export { withFewMarks } from './few-marks.ts';
export { createHtmlHandler, type HtmlHandler } from './html/html-handler.ts';
export { createHtmlParser } from './html/html-parser.ts';
export { htmlToMarkdown } from './html/html-to-markdown.ts';
export { NestingError } from './html/nesting-error.ts';
export { type ContentKind, contentKinds, describeMismatch, kindFacts } from './kinds/content-kinds.ts';
export {
  type DocumentKind,
  documentFacts,
  textDocuments,
} from './kinds/document-kinds.ts';
export { imageKinds, imageKindsByExtension, imageNames } from './kinds/image-kinds.ts';
export { imageDataUrl, readContentKind } from './kinds/read-content-kind.ts';
export { recordingFormat, recordingFormats } from './kinds/recording-kinds.ts';
export { savedFileTypes } from './kinds/saved-file-types.ts';
export type { BlockStyle } from './markdown/block-text.ts';
export type { Marks } from './markdown/inline-text.ts';
export type { TableLines } from './markdown/markdown-table.ts';
export { createMarkdownWriter, type MarkdownWriter, type WrittenPlace } from './markdown/markdown-writer.ts';
export { createOutputText } from './markdown/output-text.ts';
export { readHead } from './recording-length/read-head.ts';
export { headOnly } from './recording-length/recording-bytes.ts';
export { recordingSeconds, secondsToReserve } from './recording-length/recording-seconds.ts';
export { type AttachmentIndex, indexAttachment } from './secrets/attachment-index.ts';
export { authorizationSecrets, hideSecrets, wordPattern } from './secrets/hide-secrets.ts';
export { readSentText } from './secrets/sent-text.ts';
