import type { Queues } from './queue.ts';
import type { Tables } from './tables.ts';

/** The stage's tables, queues and bucket. */
export interface Stores {
  tables: Tables;
  queue: Queues;
  files: sst.aws.Bucket;
}
