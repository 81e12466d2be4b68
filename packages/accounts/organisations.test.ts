import { afterAll, beforeAll, expect, test } from 'vitest';
import { testAccounts } from '../../test/support/accounts.ts';
import { startTestDynamo, type TestDynamo } from '../../test/support/dynamodb.ts';
import { createAccount } from './create-account.ts';
import { requireOrganisation } from './find-owner.ts';
import { updateOrganisation } from './update-organisation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startTestDynamo();
});
afterAll(() => dynamo.close());

const organisationId = 'organisation_none';
const notFound = { code: 'not_found' };

test('an account of an unknown organisation is not created', async () => {
  const creating = createAccount(testAccounts(dynamo), { name: 'A', creditsNanoEuro: 0, organisationId });
  await expect(creating).rejects.toMatchObject(notFound);
});

test('an unknown organisation cannot be updated or shown', async () => {
  const deps = testAccounts(dynamo);
  const updating = updateOrganisation(deps, { organisationId, subscription: true });
  await expect(updating).rejects.toMatchObject(notFound);
  await expect(requireOrganisation(deps, organisationId)).rejects.toMatchObject(notFound);
});
