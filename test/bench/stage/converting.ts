import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Cloud, CloudFunction } from '../../support/lambda/cloud.ts';
import { startInvokeEndpoint } from '../../support/lambda/invoke-endpoint.ts';
import { createRunWith } from './use-functions.ts';

const fixtures = path.join(import.meta.dirname, '../../../packages/documents/fixtures');

export interface Converting {
  /** The function that is asked and calls the converter. */
  agents: CloudFunction;
  /** Creates a run with a document, which this converter converts. */
  create(file: string, converter: CloudFunction): Promise<void>;
  /** The same of a run that no worker gets. */
  convert(file: string, converter: CloudFunction): Promise<void>;
  close(): Promise<void>;
}

/** Functions that call a converter which the benchmark has started. */
export async function startConverting(cloud: Cloud): Promise<Converting> {
  const callable: Record<string, () => Promise<CloudFunction>> = {};
  const calls = await startInvokeEndpoint(callable);
  const environment = { AWS_ENDPOINT_URL_LAMBDA: calls.endpoint };
  const agents = await cloud.start('agents', { environment });
  const create: Converting['create'] = async (file, by) => {
    callable.converter = async () => by;
    await createRunWith(agents, file, await readFile(path.join(fixtures, file)));
  };
  return {
    agents,
    create,
    async convert(file, by) {
      await create(file, by);
      await cloud.receive();
    },
    close: calls.close,
  };
}
