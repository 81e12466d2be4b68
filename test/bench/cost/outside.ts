import { table } from '../figures.ts';
import { hoursOfMonth, prices } from './prices.ts';
import { costsOf } from './tables.ts';
import { assumedSeconds, type Usage } from './usage.ts';

const million = 1e6;
/** AWS does not say how many checkers a region has; three regions of its eight are asked for. */
const checkers = 6;
const checkSeconds = 30;
const canaryMinutes = 5;

const dollars = (amount: number) => `$${amount.toFixed(2)}`;
const sum = ({ stores, lambda, edge }: ReturnType<typeof costsOf>) => stores + lambda + edge;

/** What strangers cost whose keys nobody has, with and without the firewall. */
export function unknownKeysTable(usage: Usage): string {
  const { stores, lambda, edge } = costsOf(usage);
  const letIn = (stores + lambda + edge) * million;
  return [
    `A refused request is assumed to take its function ${assumedSeconds.lookup * 1000} ms.`,
    table(
      ['1,000,000 requests with unknown keys', 'cost'],
      [
        ['edge and logs', dollars(edge * million)],
        ['Lambda', dollars(lambda * million)],
        ['looking the keys up', dollars(stores * million)],
        ['together, without `waf`', dollars(letIn)],
        ['with `waf`, those within the rate', dollars(letIn + prices.firewallRequestsPerMillion)],
        ['with `waf`, those that it refuses', dollars(prices.firewallRequestsPerMillion)],
        ['`waf` itself, a month', dollars(prices.firewallMonth + prices.firewallRuleMonth)],
      ],
    ),
  ].join('\n\n');
}

/** A month of the probe, and of what could be in its place. */
export function probeTable(usage: Usage): string {
  const minutes = hoursOfMonth * 60;
  const requests = (checkers * minutes * 60) / checkSeconds;
  const check = prices.healthCheckMonth + prices.healthCheckFeatureMonth;
  const asked = sum(costsOf(usage)) * requests;
  return table(
    ['asked from outside', 'a month'],
    [
      ["Route 53's health check, by HTTPS", dollars(check)],
      [
        `its ${requests.toLocaleString('en')} requests (${checkers} checkers, each every ${checkSeconds} s)`,
        dollars(asked),
      ],
      ['together', dollars(check + asked)],
      [
        `a canary of CloudWatch Synthetics every ${canaryMinutes} minutes, without its function and bucket`,
        dollars((minutes / canaryMinutes) * prices.canaryRun),
      ],
    ],
  );
}
