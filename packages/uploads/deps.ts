import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock, Files, Log, TableNames } from '@errand/platform';

interface UploadSettings {
  uploadsEnabled: boolean;
  documentConversionEnabled: boolean;
  /** Signs upload ids. */
  linkSecret: string;
}

export interface UploadDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  files: Files;
  clock: Clock;
  log: Log;
  uploads: UploadSettings;
  /** How long a run can be read. */
  runReadableSeconds: number;
}
