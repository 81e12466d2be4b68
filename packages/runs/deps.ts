import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { AccountsDeps } from '@errand/accounts';
import type { VisionDeps } from '@errand/agent';
import type { AgentsDeps } from '@errand/agents';
import type { DocumentReader } from '@errand/documents';
import type { Catalogue, Model } from '@errand/models';
import type { Charge } from '@errand/money';
import type { Clock, Files, Log, Sealer, SpanExporter, TableNames } from '@errand/platform';
import type { SkillsDeps } from '@errand/skills';
import type { UploadDeps } from '@errand/uploads';
import type { WebDeps } from '@errand/web';
import type { OutboxDeps } from '@errand/webhooks';
import type { RunSignals } from './signals.ts';

/** For reading and writing runs. */
export interface RunStoreDeps {
  dynamodb: DynamoDBDocumentClient;
  tables: TableNames;
  files: Files;
  clock: Clock;
}

export interface RunQueueDeps {
  sqs: SQSClient;
  queueUrl: string;
}

/** For ending runs. Without a queue no webhook is sent, which is right for a key that has ended. */
export type EndingDeps = RunStoreDeps & (OutboxDeps | { webhookQueueUrl?: never });

export interface RunsDeps extends RunStoreDeps, RunQueueDeps, OutboxDeps {
  log: Log;
  /** How long a run can be read, and all that lives with it. */
  runReadableSeconds: number;
  /** Encrypts the authorizations of runs' servers. */
  sealer: Sealer;
  signals: RunSignals;
  /** Hands on what was noticed of an account's money. */
  notify?: AccountsDeps['notify'];
  /** Where the spans of runs go. Absent where the operator wants none. */
  spans?: SpanExporter | undefined;
  /** How many runs of an account may be active at the same time. 0: as many as there are. */
  activeRunsPerAccount: number;
}

/** For reading the file of a run before the run is accepted. */
export interface AttachmentDeps {
  files: Files;
  log: Log;
  attachments: {
    documents: DocumentReader;
    vision: Omit<VisionDeps, 'calls'>;
    /** The time that reading a request's file may take. The request is refused after it. */
    readMilliseconds: number;
    /** Keeps a charge that could not be written, to be written later. */
    deferCharge(charge: Charge): Promise<void>;
  };
}

export interface CreateRunDeps extends RunsDeps, UploadDeps, AttachmentDeps {
  accounts: AccountsDeps;
  skills: SkillsDeps;
  /** For stored agents. */
  agents: AgentsDeps;
  catalogue: Catalogue;
  agentsEnabled: boolean;
  /** The hosts on private networks that may be told of the end of a run, or have tools for it. */
  web: Pick<WebDeps, 'allowedHosts'>;
  /** Whether the claims of a run are checked whose creation does not say. */
  runProof: boolean;
  /** Absent if no model has the role. */
  speechModel?: Model;
  /** The cap of a run that has none of its own, as a decimal of EUR. */
  runMaxCredits?: string;
  /** Links to saved files begin with it; with the request's own origin if it is absent. */
  publicUrl?: string;
}
