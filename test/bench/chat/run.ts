import { fileURLToPath } from 'node:url';
import { cpuMilliseconds, residentMegabytes, startNode } from '../processes.ts';
import { type LoadResult, percentile, runLoad } from './load.ts';
import { type Peer, peers } from './peers.ts';

interface Case {
  kind: 'paced' | 'unpaced' | 'plain';
  atOnce: number;
  total: number;
}

const cases: Case[] = [
  { kind: 'paced', atOnce: 1, total: 30 },
  { kind: 'paced', atOnce: 16, total: 640 },
  { kind: 'paced', atOnce: 64, total: 1_280 },
  { kind: 'unpaced', atOnce: 1, total: 200 },
  { kind: 'unpaced', atOnce: 16, total: 1_600 },
  { kind: 'unpaced', atOnce: 64, total: 1_600 },
  { kind: 'plain', atOnce: 16, total: 16_000 },
  { kind: 'plain', atOnce: 64, total: 16_000 },
];
/** Compiled code is measured, not its compiler. */
const warmUp: Case[] = [
  { kind: 'unpaced', atOnce: 16, total: 1_000 },
  { kind: 'paced', atOnce: 16, total: 640 },
  { kind: 'plain', atOnce: 16, total: 4_000 },
];
const manyStreams = { kind: 'unpaced', atOnce: 64, total: 10_000 } as const;

interface Row extends Case {
  peer: string;
  firstContentP50: number;
  firstContentP99: number;
  perSecond: number;
  cpuPerRequest: number;
  megabytes: number;
  errors: number;
}

/** `BENCH_PEERS=lean,errand` limits the peers; `BENCH_SHARE=0.1` runs a tenth of each load. */
export default async function run(): Promise<void> {
  const chosen = process.env.BENCH_PEERS?.split(',') ?? Object.keys(peers);
  const share = Number(process.env.BENCH_SHARE ?? 1);
  const provider = await startNode(fileURLToPath(new URL('upstream.ts', import.meta.url)), []);
  const rows: Row[] = [];
  for (const name of chosen) {
    const peer = await peers[name]?.(`http://127.0.0.1:${provider.ready}`);
    if (!peer) {
      process.stdout.write(`${name}: not to be had here, left out\n`);
      continue;
    }
    rows.push(...(await measure(peer, share)));
    if (peer.name === 'errand') await showMemory(peer, share);
    await peer.stop();
  }
  provider.stop();
  show(rows);
}

async function measure(peer: Peer, share: number): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { kind, atOnce, total } of warmUp)
    await runLoad(peer.target, kind, { total: Math.ceil(total * share), atOnce });
  for (const one of cases) {
    const total = Math.max(one.atOnce, Math.ceil(one.total * share));
    const before = cpuMilliseconds(peer.pids);
    const result = await runLoad(peer.target, one.kind, { total, atOnce: one.atOnce });
    const row = toRow(peer, { ...one, total }, result, cpuMilliseconds(peer.pids) - before);
    process.stdout.write(`${describe(row)}\n`);
    rows.push(row);
  }
  return rows;
}

const toRow = (peer: Peer, one: Case, result: LoadResult, cpu: number): Row => ({
  ...one,
  peer: peer.name,
  firstContentP50: percentile(result.firstContent, 0.5),
  firstContentP99: percentile(result.firstContent, 0.99),
  perSecond: one.total / result.seconds,
  cpuPerRequest: cpu / one.total,
  megabytes: residentMegabytes(peer.pids),
  errors: result.errors,
});

async function showMemory(peer: Peer, share: number): Promise<void> {
  const megabytes: number[] = [residentMegabytes(peer.pids)];
  for (let part = 0; part < 5; part++) {
    const total = Math.ceil((manyStreams.total / 5) * share);
    const { errors } = await runLoad(peer.target, manyStreams.kind, { total, atOnce: manyStreams.atOnce });
    if (errors > 0) process.stdout.write(`${errors} errors\n`);
    megabytes.push(residentMegabytes(peer.pids));
  }
  const shown = megabytes.map((value) => value.toFixed(0)).join(' ');
  process.stdout.write(`${peer.name}: memory over ${manyStreams.total * share} more streams: ${shown} MB\n`);
}

const describe = (row: Row): string =>
  [
    row.peer.padEnd(10),
    row.kind.padEnd(8),
    `${row.atOnce} at once`.padStart(11),
    `first content p50 ${row.firstContentP50.toFixed(2)} p99 ${row.firstContentP99.toFixed(2)} ms`.padStart(
      42,
    ),
    `${row.perSecond.toFixed(0)}/s`.padStart(9),
    `CPU ${row.cpuPerRequest.toFixed(2)} ms`.padStart(12),
    `${row.megabytes.toFixed(0)} MB`.padStart(7),
    `${row.errors} errors`,
  ].join('  ');

/** The bar: what the service must hold against its peers, all measured in this run. */
function show(rows: readonly Row[]): void {
  const find = (peer: string, kind: Case['kind'], atOnce: number) =>
    rows.find((row) => row.peer === peer && row.kind === kind && row.atOnce === atOnce);
  const ours = find('errand', 'paced', 16);
  const lean = find('lean', 'paced', 16);
  const portkey = find('portkey', 'paced', 16);
  const direct = find('upstream', 'paced', 16);
  const plainRatio = (atOnce: number) =>
    ratio(find('errand', 'plain', atOnce)?.perSecond, find('portkey', 'plain', atOnce)?.perSecond);
  const lines: [string, number | undefined, string][] = [
    [
      'CPU of a paced stream, of the lean proxy’s',
      ratio(ours?.cpuPerRequest, lean?.cpuPerRequest),
      'at most 1.5',
    ],
    ['CPU of a paced stream, of Portkey’s', ratio(ours?.cpuPerRequest, portkey?.cpuPerRequest), 'under 0.5'],
    ['plain requests a second, of Portkey’s, 16 at once', plainRatio(16), 'at least 3'],
    ['the same, 64 at once', plainRatio(64), 'at least 3'],
    [
      'ms added to the first content, p50',
      difference(ours?.firstContentP50, direct?.firstContentP50),
      'under 4',
    ],
    [
      'errors',
      rows.filter(({ peer }) => peer === 'errand').reduce((sum, { errors }) => sum + errors, 0),
      '0',
    ],
  ];
  for (const [what, value, bar] of lines)
    process.stdout.write(`${what}: ${value?.toFixed(2) ?? 'not measured'} (${bar})\n`);
}

const ratio = (a?: number, b?: number) => (a === undefined || b === undefined ? undefined : a / b);
const difference = (a?: number, b?: number) => (a === undefined || b === undefined ? undefined : a - b);
