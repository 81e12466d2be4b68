import { loadCatalogue } from '@errand/models';
import { readConfig } from '@errand/platform';
import { concurrencyNeeded, concurrencyProblems } from '../infra/concurrency.ts';
import { domainProblems } from '../infra/domain.ts';
import type { Settings } from '../infra/settings.ts';

interface CheckedSettings {
  /** Path of the catalogue. */
  catalogue: string;
  /** The variables that an operator adds to the functions' environment. */
  environment: Record<string, string | undefined>;
  reservedConcurrency?: Settings['reservedConcurrency'];
  runsAtOnce?: number;
  domain?: Settings['domain'];
}

/** Variables that the stack sets, with made-up values. */
export const added = {
  TABLE_NAMES: '{}',
  QUEUE_URL: 'https://queue.example.com',
  WEBHOOK_QUEUE_URL: 'https://queue.example.com',
  BUCKET_NAME: 'bucket',
  LINK_SECRET: 'x'.repeat(48),
  STORE_SECRET: 'x'.repeat(48),
  SEARCH_API_KEY: 'key',
};

/** Throws with every problem that would keep the deploy from working, or the deployed functions from starting. */
export async function checkSettings(settings: CheckedSettings): Promise<void> {
  const { catalogue, environment, runsAtOnce = 0, reservedConcurrency = {} } = settings;
  const problems = concurrencyProblems({ runsAtOnce, reservedConcurrency });
  problems.push(...domainProblems(settings));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const config = readConfig('cloud', { ...environment, ...added, MODEL_CATALOGUE: catalogue });
  await loadCatalogue({ ...config, secret: () => 'key' });
}

if (import.meta.main) {
  try {
    const settings = JSON.parse(process.argv[2] ?? '') as CheckedSettings;
    await checkSettings(settings);
    // A deploy fails where the account has less, and would say so only with AWS's words.
    const { reservedConcurrency = {} } = settings;
    const needed = concurrencyNeeded({ reservedConcurrency });
    if (needed !== undefined) console.log(`Concurrency: ${needed}`);
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
