import { limits } from '@errand/platform';
import { leastContainers, mostChatContainers } from '../../../infra/container-shapes.ts';
import { table } from '../figures.ts';
import { monthOfContainers } from './container.ts';
import { aMonth, atOnce, breakEven, day, kinds, monthOfLoad, runOnLambda } from './in-containers.ts';

const dollars = (amount: number): string =>
  amount === 0 ? 'none' : `$${amount < 10 ? amount.toFixed(2) : Math.round(amount).toLocaleString('en')}`;
const count = (value: number) => Math.round(value).toLocaleString('en');
const rounded = (value: number) => count(Number(value.toPrecision(2)));
const users = [10, 1_000, 100_000] as const;
const peakFactors = [1, 4, 10] as const;
/** The places of an invocation of the worker. */
export const runsOfInvocation = limits.runsPerInvocation;

type Kind = (typeof kinds)[keyof typeof kinds];

const sizeWords = ({ container }: Kind) => `${container.cpus} vCPU and ${container.gigabytes} GB`;

/** What is taken of a user, and what a container then holds. */
export const containerAssumptions = (): string =>
  [
    `A user has ${day.completions} completions of ${kinds.chat.seconds} s and ${day.runs} runs of ${kinds.workers.seconds} s a day, all users in the same ${day.busyHours} hours.`,
    `A container of chat (${sizeWords(kinds.chat)}) is planned for ${kinds.chat.wanted} streams at once, one of workers (${sizeWords(kinds.workers)}) for ${kinds.workers.wanted} runs.`,
    `In the busy hours there are as many as the peak asks for, in the others ${leastContainers}, which is also the least. Their number is in brackets; chat has ${mostChatContainers} at most.`,
  ].join(' ');

/** The least that containers cost, by what of it. */
export function leastTable(): string {
  const months = [kinds.chat, kinds.workers].map((kind) => {
    const given = {
      container: kind.container,
      containers: leastContainers,
      ...(kind.balancerAddresses > 0 && { balancer: { addresses: kind.balancerAddresses } }),
    };
    return { open: monthOfContainers(given), closed: monthOfContainers({ ...given, gateways: 2 }) };
  });
  const row = (words: string, of: (month: (typeof months)[number]) => number): string[] => [
    words,
    ...months.map((month) => dollars(of(month))),
  ];
  return table(
    ['the least, a month', 'chat', 'workers'],
    [
      row(`${leastContainers} containers, arm64`, ({ open }) => open.compute),
      row('load balancer, without traffic', ({ open }) => open.balancer),
      row('public addresses', ({ open }) => open.addresses),
      row('together', ({ open }) => open.all),
      row(
        'together, behind two NAT gateways in place of containers with addresses',
        ({ closed }) => closed.all,
      ),
    ],
  );
}

interface Compared {
  kind: Kind;
  /** What Lambda costs for one, by how many there are a day. */
  lambda: Record<string, (aDay: number) => number>;
  bytesOfOne?: number;
}

/** Lambda beside containers, by users, and from when on containers cost less. */
function compare({ kind, lambda, bytesOfOne = 0 }: Compared): string {
  const ways = Object.entries(lambda);
  const cells = (aDay: number) =>
    peakFactors.map((peakFactor) => {
      const { all, busy } = monthOfLoad({ kind, aDay, peakFactor, bytesOfOne });
      return `${dollars(all)} (${busy})`;
    });
  const rows = users.map((each) => {
    const aDay = each * day[kind.what];
    return [
      count(each),
      count(aMonth(aDay)),
      atOnce(kind, aDay).toFixed(1),
      ...ways.map(([, costOf]) => dollars(aMonth(aDay) * costOf(aDay))),
      ...cells(aDay),
    ];
  });
  const even = ways.map(([way, costOf]) => {
    const points = peakFactors.map((peakFactor) => breakEven({ kind, peakFactor, bytesOfOne }, costOf));
    const cell = (aDay: number | undefined) =>
      aDay === undefined ? 'never' : `${rounded(aDay / day[kind.what])} (${rounded(aMonth(aDay))})`;
    return [`less than ${way}`, ...points.map(cell)];
  });
  const heads = peakFactors.map((factor) => `peak ${factor} times the mean`);
  return [
    table(
      [
        'users',
        `${kind.what} a month`,
        'at once, mean',
        ...ways.map(([way]) => way),
        ...heads.map((head) => `containers, ${head}`),
      ],
      rows,
    ),
    table([`containers cost, from so many users (${kind.what} a month) on`, ...heads], even),
  ].join('\n\n');
}

export const chatTable = (given: { lambda: number; bytesOfOne: number }): string =>
  compare({
    kind: kinds.chat,
    lambda: { Lambda: () => given.lambda },
    bytesOfOne: given.bytesOfOne,
  });

/** As many runs are beside each other as there are at once on the mean, up to an invocation's places. */
const atBest = (aDay: number): number => Math.min(runsOfInvocation, Math.max(1, atOnce(kinds.workers, aDay)));

export const workersTable = (): string =>
  compare({
    kind: kinds.workers,
    lambda: {
      'Lambda, one run an invocation': () => runOnLambda(1),
      [`Lambda, up to ${runsOfInvocation}`]: (aDay) => runOnLambda(atBest(aDay)),
    },
  });
