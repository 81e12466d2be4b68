import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Keeps one value per DynamoDB client: `make` runs at its first use, and the value is dropped with the client. */
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
