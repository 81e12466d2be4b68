import path from 'node:path';
import { createAccount, createKey, parseEuro } from '@errand/accounts';
import * as v from 'valibot';
import { readIfThere, writePrivate } from './data-folder.ts';

const schema = v.object({ accountId: v.string(), apiKey: v.string() });

export type FirstKey = v.InferOutput<typeof schema>;

const firstCredits = '10';

/** The first account and its key: made once per data folder, and kept in clear there for its owner alone. */
export async function firstKey(folder: string, deps: Parameters<typeof createAccount>[0]): Promise<FirstKey> {
  const file = path.join(folder, 'first-key.json');
  const known = await readIfThere(file);
  if (known !== undefined) return v.parse(schema, JSON.parse(known));
  const { accountId } = await createAccount(deps, {
    name: 'local',
    creditsNanoEuro: parseEuro(firstCredits) ?? 0,
  });
  const { key } = await createKey(deps, { accountId, label: 'first key' });
  const first = { accountId, apiKey: key };
  await writePrivate(file, `${JSON.stringify(first, null, 2)}\n`);
  return first;
}
