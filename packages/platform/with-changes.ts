/** The object with these changes. A field whose change is `undefined` stays as it is, as if the change were not there. */
export function withChanges<T extends object>(before: T, changes: { [K in keyof T]?: T[K] | undefined }): T {
  const made = Object.entries(changes).filter(([, value]) => value !== undefined);
  return { ...before, ...Object.fromEntries(made) };
}
