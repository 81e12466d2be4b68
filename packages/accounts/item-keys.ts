/** Where things lie in the Accounts table. */
export const itemKeys = {
  account: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'ACCOUNT' }),
  /** Apart from the account and its rate window, so that charging disturbs neither. */
  balance: (accountId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: 'BALANCE' }),
  accountKey: (accountId: string, keyId: string) => ({ pk: `ACCOUNT#${accountId}`, sk: `KEY#${keyId}` }),
  organisation: (organisationId: string) => ({ pk: `ORGANISATION#${organisationId}`, sk: 'ORGANISATION' }),
  key: (hash: string) => ({ pk: `KEY#${hash}`, sk: 'KEY' }),
  keyId: (keyId: string) => ({ pk: `KEYID#${keyId}`, sk: 'KEYID' }),
  rateWindow: (accountId: string, startSeconds: number) => ({
    pk: `RATE#${accountId}`,
    sk: String(startSeconds),
  }),
  ledgerEntry: (ledger: string, id: string) => ({ pk: ledger, sk: id }),
};
