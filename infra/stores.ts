import type { Queues } from './queue.ts';
import type { Tables } from './tables.ts';

/** Where the stage keeps things. */
export interface Stores {
  tables: Tables;
  queue: Queues;
  files: sst.aws.Bucket;
}
