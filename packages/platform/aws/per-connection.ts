import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** Keeps one value per DynamoDB client: `make` runs at its first use, and the value is dropped with the client. */
export function perConnection<T>(make: () => T): (deps: { dynamodb: DynamoDBDocumentClient }) => T {
  const all = new WeakMap<DynamoDBDocumentClient, T>();
  return ({ dynamodb }) => {
    const existing = all.get(dynamodb);
    if (existing !== undefined) return existing;
    const created = make();
    all.set(dynamodb, created);
    return created;
  };
}
