import { createKey, type KeyListing, listKeys, revokeKey } from '@errand/accounts';
import { endWaitingRuns } from '@errand/runs';
import { defineCommand } from '../command.ts';
import { noAccount, orRefuse } from '../refusal.ts';
import { runsOf } from './run.ts';

const create = defineCommand({
  name: 'key create',
  usage: '--account A [--label L]',
  options: { account: { type: 'string', required: true }, label: { type: 'string' } },
  async run(store, { account, label }) {
    const creating = createKey(store, { accountId: account, label: label ?? '' });
    const created = await orRefuse(creating, noAccount(account));
    const { keyId, key, frozenAt } = created;
    const frozen =
      frozenAt !== undefined &&
      `The account is frozen since ${frozenAt}: the key is refused until npm run -s admin -- account thaw ${account}.`;
    return {
      json: created,
      lines: [`Key ${keyId}`, key, 'Keep it now: it is not shown again.', ...(frozen ? [frozen] : [])],
    };
  },
});

const revoke = defineCommand({
  name: 'key revoke',
  usage: 'KEYID',
  options: {},
  takesId: true,
  async run(store, _values, keyId) {
    const revoked = await orRefuse(revokeKey(store, keyId), `There is no key ${keyId}.`);
    const runsEnded = await endWaitingRuns(runsOf(store), keyId, 'revoked');
    return {
      json: { ...revoked, runsEnded },
      lines: [`Key ${keyId}, revoked ${revoked.revokedAt}`, `Runs that waited and are ended: ${runsEnded}`],
    };
  },
});

const list = defineCommand({
  name: 'key list',
  usage: '--account A',
  options: { account: { type: 'string', required: true } },
  async run(store, { account }) {
    const keys = await orRefuse(listKeys(store, account), noAccount(account));
    return { json: { keys }, lines: keys.map(toLine) };
  },
});

const toLine = ({ keyId, label, createdAt, revokedAt, frozenAt }: KeyListing) =>
  [
    keyId,
    `created ${createdAt}`,
    revokedAt && `revoked ${revokedAt}`,
    frozenAt && `frozen ${frozenAt}`,
    label,
  ]
    .filter(Boolean)
    .join('  ');

export const keyCommands = [create, revoke, list];
