import { rm } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { writePrivate } from './data-folder.ts';
import { isAlive, readIfThere, withFileLock } from './file-lock.ts';

const address = v.pipe(v.string(), v.url());

const serviceSchema = v.partial(
  v.object({
    baseUrl: v.string(),
    apiKey: v.string(),
    accountId: v.string(),
    pid: v.number(),
    /** Of the API: the catalogue file's absolute path. */
    modelCatalogue: v.string(),
    endpoints: v.object({ dynamodb: address, sqs: address, s3: address }),
  }),
);

/** `DATA_DIR/service.json`: how to reach the running service. */
type ServiceFile = v.InferOutput<typeof serviceSchema>;

export type RunningService = Omit<ServiceFile, 'endpoints'> & {
  endpoints: NonNullable<ServiceFile['endpoints']>;
};

const fileIn = (folder: string) => path.join(folder, 'service.json');

/** A file that is damaged counts as empty: whoever starts the embedded AWS writes it anew. */
async function readServiceFile(folder: string): Promise<ServiceFile> {
  const text = await readIfThere(fileIn(folder));
  if (text === undefined) return {};
  try {
    return v.parse(serviceSchema, JSON.parse(text));
  } catch {
    return {};
  }
}

/** The service that runs on this folder. Undefined if none runs, even if a dead one left its file behind. */
export async function runningService(folder: string): Promise<RunningService | undefined> {
  const service = await readServiceFile(folder);
  const { endpoints, pid } = service;
  if (!endpoints || pid === undefined || !isAlive(pid)) return undefined;
  // Another program may have the process id by now.
  return (await accepts(endpoints.sqs)) ? { ...service, endpoints } : undefined;
}

function accepts(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port), timeout: 1_000 });
    const end = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/**
 * Adds fields to the file. Returns a function that removes them, except fields that were overwritten since. The function
 * never rejects, because a part must stop on a full disk too: what is left of a process that has ended counts for nobody.
 */
export async function announce(folder: string, fields: ServiceFile): Promise<() => Promise<void>> {
  await change(folder, (service) => ({ ...service, ...fields }));
  return () =>
    change(folder, (service) => {
      const kept = Object.entries(service).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(fields[name as keyof ServiceFile]),
      );
      return Object.fromEntries(kept);
    }).catch(() => undefined);
}

/** Removes the fields of a process that did not stop cleanly. */
export const clearServiceFile = (folder: string): Promise<void> => change(folder, () => ({}));

async function change(folder: string, edit: (service: ServiceFile) => ServiceFile): Promise<void> {
  const file = fileIn(folder);
  await withFileLock(file, async () => {
    const { baseUrl, apiKey, accountId, pid, modelCatalogue, endpoints } = edit(
      await readServiceFile(folder),
    );
    const service = { baseUrl, apiKey, accountId, pid, modelCatalogue, endpoints };
    const empty = Object.values(service).every((value) => value === undefined);
    await (empty ? rm(file, { force: true }) : writePrivate(file, `${JSON.stringify(service, null, 2)}\n`));
  });
}
