/** An own property of an object, otherwise undefined. Inherited ones do not count: a question's id may be `constructor`. */
export const ownProperty = (value: unknown, key: string | number): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
