import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Something that is made once for each connection to the store, and lives as long as that. */
export function perConnection<T>(make: () => T): (deps: { dynamodb: DynamoDBDocumentClient }) => T {
  const all = new WeakMap<DynamoDBDocumentClient, T>();
  return ({ dynamodb }) => {
    const known = all.get(dynamodb);
    if (known !== undefined) return known;
    const made = make();
    all.set(dynamodb, made);
    return made;
  };
}
