/** Thrown for HTML whose elements are nested more deeply than its reader allows. */
export class NestingError extends Error {
  override readonly name = 'NestingError';
}
