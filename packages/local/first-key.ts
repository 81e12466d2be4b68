import path from 'node:path';
import { authenticate, createAccount, createKey } from '@errand/accounts';
import { parseEuro } from '@errand/money';
import { isDomainError } from '@errand/platform';
import * as v from 'valibot';
import { writePrivate } from './data-folder.ts';
import { readIfThere } from './file-lock.ts';
import { StartError } from './start-error.ts';

const schema = v.object({ accountId: v.string(), apiKey: v.string() });

type FirstKey = v.InferOutput<typeof schema>;

const firstCredits = '10';

type KeyDeps = Parameters<typeof createAccount>[0];

/**
 * The first account and its key. They are made once per data folder, and kept there in clear in a file that only its
 * owner may read. A key that was revoked, or that the database does not know, is replaced. Throws `StartError` if the
 * file is damaged.
 */
export async function firstKey(folder: string, deps: KeyDeps): Promise<FirstKey> {
  const file = path.join(folder, 'first-key.json');
  const known = await readKnown(file);
  if (known && (await isValid(deps, known.apiKey))) return known;
  const first = (known && (await newKey(deps, known.accountId))) ?? (await newAccount(deps));
  await writePrivate(file, `${JSON.stringify(first, null, 2)}\n`);
  return first;
}

async function readKnown(file: string): Promise<FirstKey | undefined> {
  const text = await readIfThere(file);
  if (text === undefined) return undefined;
  try {
    return v.parse(schema, JSON.parse(text));
  } catch {
    throw new StartError(`${file} is damaged. Delete it to get a new account and key.`);
  }
}

async function isValid(deps: KeyDeps, apiKey: string): Promise<boolean> {
  try {
    await authenticate(deps, `Bearer ${apiKey}`);
    return true;
  } catch (error) {
    if (isDomainError(error, 'unauthorized')) return false;
    throw error;
  }
}

async function newKey(deps: KeyDeps, accountId: string): Promise<FirstKey | undefined> {
  try {
    return { accountId, apiKey: (await createKey(deps, { accountId, label: 'first key' })).key };
  } catch (error) {
    if (isDomainError(error, 'not_found')) return undefined;
    throw error;
  }
}

async function newAccount(deps: KeyDeps): Promise<FirstKey> {
  const creditsNanoEuro = parseEuro(firstCredits) ?? 0;
  const { accountId } = await createAccount(deps, { name: 'local', creditsNanoEuro });
  return { accountId, apiKey: (await createKey(deps, { accountId, label: 'first key' })).key };
}
