/** The name under which a file is sent. Throws if it has none: the service reads a file by its ending. */
export function nameOf(file: Blob, given?: string): string {
  const own = 'name' in file && typeof file.name === 'string' ? file.name : undefined;
  const name = given ?? own;
  if (name) return name;
  throw new TypeError('A Blob has no name: give it one as `filename`.');
}
