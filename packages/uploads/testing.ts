/** What tests of other rooms reach of this one. Nothing else imports it. */
export { uploadRouteErrors } from './errors.ts';
export { fileKind } from './file-kind.ts';
export { keyName, shownName } from './file-name.ts';
export { parseForm } from './form/parse-form.ts';
export { makeFileLink } from './saved-files/link.ts';
export { readUploadId } from './upload-id.ts';
