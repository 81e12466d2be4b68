import type { NamedWrite } from '@errand/platform';
import type { Upload } from '@errand/uploads';
import type { RunRecord } from '../run.ts';
import type { CreateRunBody } from '../schema.ts';

/** A request for a run, whether it came as JSON, as a form or in the words of another protocol. */
export interface RunRequest<Body = CreateRunBody> {
  body: Body;
  /** A text of the request. Two requests have the same text exactly if one repeats the other. */
  text: string;
  /** Kept in the run's own item, for the protocol that the request came in. */
  marks?: RunRecord['marks'];
  /** The schedule that the run is started by, and what is noted of it in the transaction that writes the run, or takes it back. */
  scheduleId?: string;
  note?(run: Pick<RunRecord, 'agentId' | 'createdAt'>): { writes: NamedWrite[]; undo?: NamedWrite };
  /** The file that came with the request. */
  upload?: Upload;
  /** The key of the file that `store` copies, which this run takes over from the one that it goes on from. */
  takenOver?: string;
  /** Stores the file of a request that is let in. Absent if the file is stored already. */
  store?(): Promise<void>;
}

export const hasFile = ({ body, upload }: RunRequest): boolean =>
  upload !== undefined || body.uploadId !== undefined;
