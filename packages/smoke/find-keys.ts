import { addressOfLocal, connect } from '@errand/admin';
import type { Config } from '@errand/platform';
import type { Arguments } from './arguments.ts';
import { type MadeAccount, makeAccount } from './keys.ts';

/** Keys of the environment, or keys of a new account if some are missing and the store can be reached. */
export async function findKeys(
  { stage, refuse }: Arguments,
  config: Config,
  baseUrl: string,
  tell: (text: string) => void,
): Promise<{ keys: [string, string?]; keyName: string; account: MadeAccount | undefined }> {
  const given = ['ERRAND_API_KEY', 'ERRAND_SECOND_API_KEY'].map((name) => config.secret(name));
  const missing = given.filter((key) => key === undefined).length;
  const local = stage === undefined ? await addressOfLocal(config) : undefined;
  const reachable = stage !== undefined || (local !== undefined && isSame(local, baseUrl));
  const account =
    missing > 0 && reachable
      ? await makeAccount(await connect(config, stage), missing, {
          stage,
          tell,
        })
      : undefined;
  const made = [...(account?.keys ?? [])];
  const [key, secondKey] = given.map((each) => each ?? made.shift());
  if (key === undefined)
    throw refuse(`ERRAND_API_KEY must be set, or --stage named to make a key: ${whyNone(config, local)}`);
  const keyName = given[0] === undefined ? `the key that was made for the checks` : 'ERRAND_API_KEY';
  return { keys: secondKey === undefined ? [key] : [key, secondKey], keyName, account };
}

const whyNone = ({ dataDir }: Config, local: string | undefined): string =>
  local === undefined
    ? `no local service was found in DATA_DIR (${dataDir})`
    : `the local service in DATA_DIR (${dataDir}) is at ${local}`;

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [new URL(one), new URL(other)];
  const nameOf = ({ hostname }: URL) => (hostname === 'localhost' ? '127.0.0.1' : hostname);
  return nameOf(a) === nameOf(b) && a.port === b.port;
};
