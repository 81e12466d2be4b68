import { awsSettings } from '@errand/local/testing';
import { createAwsClients, createFiles, localCredentials, systemClock } from '@errand/platform';
import type { RunRecord } from '@errand/runs/testing';
import { claimRun, commitProgress } from '@errand/runs/testing';

export interface Service {
  baseUrl: string;
  apiKey: string;
  endpoints: { dynamodb: string; sqs: string; s3: string };
}

/** Commits events as a worker of another process does. */
export interface Author {
  claim(runs: readonly string[]): Promise<void>;
  /** The event's id, and when its commit was done (`performance.now`). */
  commit(agentId: string): Promise<{ id: number; at: number }>;
}

export const authorization = ({ apiKey }: Service) => ({ Authorization: `Bearer ${apiKey}` });

/** No worker runs, so that nothing happens to these runs by itself. */
export async function createRuns(service: Service, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const response = await fetch(`${service.baseUrl}/v1/agents/runs`, {
      method: 'POST',
      headers: { ...authorization(service), 'Content-Type': 'application/json' },
      body: JSON.stringify({ question: 'What is measured?' }),
    });
    ids.push(((await response.json()) as { agentId: string }).agentId);
  }
  return ids;
}

export function openAuthor({ endpoints }: Service): Author {
  const settings = awsSettings(endpoints);
  const { dynamodb, sqs } = createAwsClients({ ...settings, credentials: localCredentials });
  const deps = {
    dynamodb,
    sqs,
    webhookQueueUrl: settings.webhookQueueUrl,
    tables: settings.tables,
    files: createFiles(settings),
    clock: systemClock,
    leaseMilliseconds: 3_600_000,
  };
  const claims = new Map<string, { run: RunRecord; token: string }>();
  return {
    async claim(runs) {
      for (const agentId of runs) {
        const claim = await claimRun(deps, agentId, { alone: true, isSuspect: false });
        if (claim.kind !== 'claimed') throw new Error(`a run is ${claim.kind}`);
        claims.set(agentId, claim);
      }
    },
    async commit(agentId) {
      const claim = claims.get(agentId);
      if (!claim) throw new Error('a run that was not claimed');
      const { run, token } = claim;
      const events = [{ type: 'step_complete' as const, step: run.lastEventId + 1 }];
      run.lastEventId = (await commitProgress(deps, run, { token }, { events, costs: [] })).lastEventId;
      return { id: run.lastEventId, at: performance.now() };
    },
  };
}
