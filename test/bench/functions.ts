import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { localCredentials, localRegion, localTableNames } from '@errand/platform';
import { type LambdaFunction, startFunction } from '../support/lambda/start-function.ts';
import { simpleCatalogue } from '../support/service.ts';

/** What a function needs to start. Nothing behind the addresses is asked. */
export const environment = {
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  TABLE_NAMES: JSON.stringify(localTableNames),
  QUEUE_URL: 'http://127.0.0.1:1/queue',
  WEBHOOK_QUEUE_URL: 'http://127.0.0.1:1/webhooks',
  BUCKET_NAME: 'bench',
  LINK_SECRET: 'a secret that links are signed with, in benchmarks',
  STORE_SECRET: 'a secret that the store is encrypted with in benchmarks',
  ORIGIN_SECRET: 'a secret that the router adds to requests in benchmarks',
  MODEL_CATALOGUE: 'catalogue.json',
};

/** Starts a function whose bundle is in the folder, and waits until it asks for work. */
export async function startBundle(folder: string): Promise<LambdaFunction> {
  const catalogue = JSON.stringify(simpleCatalogue('http://127.0.0.1:1/v1'));
  await writeFile(path.join(folder, environment.MODEL_CATALOGUE), catalogue);
  return startFunction({ folder, environment });
}
