import { limits } from '@errand/platform';
import type { House } from './house.ts';
import type { Entry } from './row.ts';

export const answered: Partial<Entry> = {
  kind: 'completion',
  inputTokens: 100,
  outputTokens: 10,
  amount: '-0.00012',
};
export const inputAlone: Partial<Entry> = {
  kind: 'completion',
  inputTokens: 9,
  outputTokens: 0,
  amount: '-0.000009',
  brokenOff: true,
};

/** When a reservation that nobody renews has ended, for every clock. */
export const afterReservation = limits.reservationSeconds * 1000 + 10_000;

/** Has the reservation of the call in work renewed, and waits until it is. */
export async function renewed(house: House): Promise<void> {
  const written = house.holdStore('PutItemCommand');
  house.timers.end(limits.reservationRenewalMilliseconds);
  await written.asked;
  const renewing = house.holdStore('UpdateItemCommand');
  written.open();
  await renewing.asked;
  renewing.open();
  house.parts.aws.dynamodb.middlewareStack.remove('hold');
}
