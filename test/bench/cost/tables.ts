import { functionShapes } from '../../../infra/functions.ts';
import { table } from '../figures.ts';
import { prices } from './prices.ts';
import { assumedSeconds, type Usage } from './usage.ts';

const logBytesOfRequest = 1_000;

export interface Costs {
  gigabyteSeconds: number;
  stores: number;
  lambda: number;
  edge: number;
}

export function costsOf({ units, invocations, edgeRequests, bytesOut }: Usage): Costs {
  const gigabyteSeconds = invocations.reduce(
    (sum, { name, seconds }) => sum + (seconds * functionShapes[name].memoryMegabytes) / 1_024,
    0,
  );
  const writeUnits = units.writeUnits + units.indexWriteUnits;
  return {
    gigabyteSeconds,
    stores:
      (units.readUnits * prices.readUnitsPerMillion +
        writeUnits * prices.writeUnitsPerMillion +
        units.queueRequests * prices.queueRequestsPerMillion) /
        1e6 +
      (units.filePuts * prices.filePutsPerThousand + units.fileGets * prices.fileGetsPerThousand) / 1e3,
    lambda:
      gigabyteSeconds * prices.lambdaGigabyteSecond +
      (invocations.length * prices.lambdaRequestsPerMillion) / 1e6,
    edge:
      edgeRequests *
        (prices.edgeRequestsPerTenThousand / 1e4 +
          (prices.edgeFunctionsPerMillion + 2 * prices.edgeLookupsPerMillion) / 1e6) +
      (bytesOut * prices.edgeGigabyteOut + invocations.length * logBytesOfRequest * prices.logGigabyte) / 1e9,
  };
}

export interface Line {
  what: string;
  usage: Usage;
  times: number;
}

/** Units of reading and writing, and what they and the rest cost, for each line so many times. */
export const usageTable = (lines: readonly Line[]): string =>
  table(
    [
      'what',
      'read units',
      'write units',
      'of indexes',
      'SQS',
      'S3',
      'GB-seconds',
      'stores',
      'Lambda',
      'edge and logs',
      'all',
    ],
    lines.map(({ what, usage, times }) => {
      const { gigabyteSeconds, stores, lambda, edge } = costsOf(usage);
      const { units } = usage;
      const counts = [
        units.readUnits,
        units.writeUnits,
        units.indexWriteUnits,
        units.queueRequests,
        units.filePuts + units.fileGets,
        gigabyteSeconds,
      ];
      return [
        what,
        ...counts.map((each) => (each * times).toFixed(0)),
        ...[stores, lambda, edge, stores + lambda + edge].map((each) => `$${(each * times).toFixed(4)}`),
      ];
    }),
  );

/** Time and memory from which the figures follow. */
export function assumptions(): string {
  const { run, chat, decision, conversion, webhook } = assumedSeconds;
  const memory = Object.entries(functionShapes).map(([name, { memoryMegabytes }]) => [
    name,
    `${memoryMegabytes} MB`,
  ]);
  return [
    `Prices of ${prices.asOf}. A run holds the worker ${run} s, a chat its function ${chat} s, a decision ${decision} s, a conversion its function and the one that waits for it ${conversion} s, a message of webhooks its function ${webhook} s, a question at \`/mcp\` its function as long as its run. Memory of the functions:`,
    table(
      memory.map(([name]) => name ?? ''),
      [memory.map(([, size]) => size ?? '')],
    ),
  ].join('\n\n');
}

/** A table that was just made takes so many units of writes a second, and each of its indexes too. */
const unitsOfNewTable = 4_000;

/** How many of each a second a new table takes, as if all that is written went to one. */
export const ratesOf = (lines: readonly { what: string; usage: Usage }[]): string =>
  `${unitsOfNewTable.toLocaleString('en')} units of writes a second, which a new table takes, are ${lines
    .map(({ what, usage }) => `${Math.floor(unitsOfNewTable / usage.units.writeUnits)} ${what}`)
    .join(' or ')}.`;
