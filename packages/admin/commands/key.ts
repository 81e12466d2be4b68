import { changeLimits, createKey, type KeyListing, listKeys, revokeKey, updateKey } from '@errand/accounts';
import { endWaitingRuns } from '@errand/runs';
import { defineCommand } from '../command.ts';
import { noAccount, orRefuse, UsageError } from '../refusal.ts';
import { readFlag } from '../values.ts';
import { checkLimits, describeLimits, limitOptions, limitWords, readLimits } from './key-limits.ts';
import { runsOf } from './run.ts';

const create = defineCommand({
  name: 'key create',
  options: ['--account <A>', '[--label <L>]', ...limitOptions, '[--operator]'],
  check: checkLimits,
  async run(store, { account, label = '', operator, ...values }) {
    const changes = { ...readLimits(values), ...(operator && { isOperator: true }) };
    const limits = changeLimits({}, changes);
    const creating = createKey(store, { accountId: account, label, limits });
    const { keyId, key, frozenAt } = await orRefuse(creating, noAccount(account));
    const frozen =
      frozenAt !== undefined &&
      `The account is frozen since ${frozenAt}: the key is refused until npm run -s admin -- account thaw ${account}.`;
    return {
      json: { keyId, key, label, frozenAt, ...describeLimits(limits) },
      lines: [
        `Key ${[keyId, ...limitWords(limits)].join('  ')}`,
        key,
        'Keep it now: it is not shown again.',
        ...(frozen ? [frozen] : []),
      ],
    };
  },
});

const update = defineCommand({
  name: 'key update',
  argument: 'KEYID',
  options: [...limitOptions, '[--operator <true|false>]'],
  check(values) {
    if (Object.keys(values).length === 0) throw new UsageError('a limit to change is missing');
    checkLimits(values);
  },
  async run(store, { operator, ...values }, keyId) {
    const isOperator = operator === undefined ? {} : { isOperator: readOperator(operator) };
    const changes = { ...readLimits(values), ...isOperator };
    const key = await orRefuse(updateKey(store, keyId, changes), noKey(keyId));
    return { json: describeKey(key), lines: [`Key ${toLine(key)}`] };
  },
});

/** `null` takes the mark away, like any other limit. */
const readOperator = (text: string): true | null =>
  text !== '' && text !== 'none' && readFlag('operator', text) ? true : null;

const revoke = defineCommand({
  name: 'key revoke',
  argument: 'KEYID',
  async run(store, _values, keyId) {
    const revoked = await orRefuse(revokeKey(store, keyId), noKey(keyId));
    const runsEnded = await endWaitingRuns(runsOf(store), keyId, 'revoked');
    return {
      json: { ...revoked, runsEnded },
      lines: [`Key ${keyId}, revoked ${revoked.revokedAt}`, `Runs that waited and are ended: ${runsEnded}`],
    };
  },
});

const list = defineCommand({
  name: 'key list',
  options: ['--account <A>'],
  async run(store, { account }) {
    const keys = await orRefuse(listKeys(store, account), noAccount(account));
    return { json: { keys: keys.map(describeKey) }, lines: keys.map(toLine) };
  },
});

const noKey = (keyId: string) => `There is no key ${keyId}.`;

const describeKey = ({ limits, ...key }: KeyListing) => ({ ...key, ...describeLimits(limits) });

const toLine = ({ keyId, label, createdAt, revokedAt, frozenAt, limits }: KeyListing) =>
  [
    keyId,
    `created ${createdAt}`,
    revokedAt && `revoked ${revokedAt}`,
    frozenAt && `frozen ${frozenAt}`,
    ...limitWords(limits),
    label,
  ]
    .filter(Boolean)
    .join('  ');

export const keyCommands = [create, update, revoke, list];
