import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { describedApp } from '../openapi-document.ts';
import { type CheckExchange, createExchangeCheck } from './check-exchange.ts';
import { type Exchange, watchAnswers } from './watch-answers.ts';

/** A header that every answer of the service has, and no other server's. */
const isOurs = ({ headers }: Exchange): boolean =>
  headers['access-control-expose-headers']?.includes('X-TypeSafe-Request-Id') ?? false;

/** Paths that tests of the HTTP parts mount beside, or in place of, the service's routes. */
const ownPaths = ['/', '/words', '/stream', '/broken', '/answer'];

/** Pages are for people: the document has none of them. */
const isPage = ({ url }: Exchange): boolean => /^\/(console|docs)(?![\w-])/.test(url);

const isOwn = ({ url }: Exchange): boolean => ownPaths.includes(url);

const problems = new Set<string>();
const checking = new Set<Promise<void>>();
let check: Promise<CheckExchange> | undefined;
let requestsAreLoose = false;

async function hold(exchange: Exchange, test: string | undefined): Promise<void> {
  check ??= describedApp().then(createExchangeCheck);
  const problem = await (await check)(requestsAreLoose ? { ...exchange, requestBody: undefined } : exchange);
  if (problem) problems.add(`${problem} (asked in: ${test ?? 'no test'})`);
}

watchAnswers((exchange) => {
  if (!isOurs(exchange) || isOwn(exchange) || isPage(exchange)) return;
  const held = hold(exchange, expect.getState().currentTestName).finally(() => checking.delete(held));
  checking.add(held);
});

/**
 * For a file whose requests are on purpose none that the document allows, and that a model which says yes to everything
 * accepts. Their answers are held to the document all the same.
 */
export function sendUndescribed(): void {
  beforeAll(() => {
    requestsAreLoose = true;
    return async () => {
      await Promise.all(checking);
      requestsAreLoose = false;
    };
  });
}

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
