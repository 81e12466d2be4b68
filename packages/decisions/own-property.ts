/** A property of the value's own, if it is an object: a question may be called `constructor`. */
export const ownProperty = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
