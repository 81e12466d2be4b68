import { expect } from 'vitest';

/** Passes if the attempt fails with an error that matches. */
export async function expectFailure(attempt: () => Promise<void>, error: object): Promise<void> {
  const failure = await attempt().then(
    () => undefined,
    (reason: unknown) => ({ reason }),
  );
  if (!failure) throw new Error('This works now: declare it with works(), and rewrite docs/clients.md');
  expect(failure.reason).toMatchObject(error);
}
