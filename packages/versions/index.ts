export { createNamed } from './create-named.ts';
export { deleteNamed } from './delete-named.ts';
export type { VersionsDeps } from './deps.ts';
export { entityTag, type Precondition } from './entity-tag.ts';
export { findOwnId, findSeenId } from './find-named.ts';
export type { Kind, OfKind } from './kind.ts';
export type { Editor, Owner } from './owner.ts';
export { getNamed, listNamed, listOwned } from './read-named.ts';
export { readPrecondition } from './read-request.ts';
export { refusals } from './refusals.ts';
export { type Reference, type Resolved, resolveNamed } from './resolve-named.ts';
export { namedRoutes, type Surface, sendStored } from './routes.ts';
export {
  allows,
  atMostCharacters,
  countCharacters,
  descriptionField,
  enabledField,
  nameField,
  requireChange,
  requireObject,
  summaryFields,
  wrongBody,
} from './schema.ts';
export { describeRow, type Row, type Stored } from './stored.ts';
export { sweepDeleted } from './sweep-deleted.ts';
export { updateNamed } from './update-named.ts';
