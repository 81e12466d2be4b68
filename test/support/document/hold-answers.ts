import { afterAll, afterEach, expect } from 'vitest';
import { describedApp } from '../openapi-document.ts';
import { type CheckExchange, createExchangeCheck } from './check-exchange.ts';
import { type Exchange, watchAnswers } from './watch-answers.ts';

/** A header that every answer of the service has, and no other server's. */
const isOurs = ({ headers }: Exchange): boolean =>
  headers['access-control-expose-headers']?.includes('X-TypeSafe-Request-Id') ?? false;

const problems = new Set<string>();
const checking = new Set<Promise<void>>();
let check: Promise<CheckExchange> | undefined;

async function hold(exchange: Exchange, test: string | undefined): Promise<void> {
  check ??= describedApp().then(createExchangeCheck);
  const problem = await (await check)(exchange);
  if (problem) problems.add(`${problem} (asked in: ${test ?? 'no test'})`);
}

watchAnswers((exchange) => {
  if (!isOurs(exchange)) return;
  const held = hold(exchange, expect.getState().currentTestName).finally(() => checking.delete(held));
  checking.add(held);
});

/** Fails the test, or the file, in which the service answered something that the document does not describe. */
export function failUndescribed(): void {
  const report = async () => {
    await Promise.all(checking);
    const found = [...problems];
    problems.clear();
    if (found.length > 0) throw new Error(`The OpenAPI document does not say this:\n${found.join('\n')}`);
  };
  afterEach(report);
  afterAll(report);
}
