/** Thrown for HTML of more elements within each other than its reader allows. */
export class NestingError extends Error {
  override readonly name = 'NestingError';
}
