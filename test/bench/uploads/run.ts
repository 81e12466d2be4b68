import { readFile, writeFile } from 'node:fs/promises';
import { printTable } from '../figures.ts';
import { type ServiceProcesses, startProcesses } from './service-processes.ts';

const limitMegabytes = 64;
const chunk = Buffer.alloc(65_536);

const uploads = [
  { name: 'one recording of 250 MB', bytes: 250_000_000, atOnce: 1 },
  { name: 'four recordings of 100 MB at once', bytes: 100_000_000, atOnce: 4 },
];

/** Measures how far uploads raise the resident memory of a process that serves the API and nothing else. */
export default async function run(): Promise<void> {
  const service = await startProcesses();
  try {
    const rows: (string | number)[][] = [];
    for (const { name, bytes, atOnce } of uploads) {
      await resetPeak(service.apiPid);
      const before = await readMegabytes(service.apiPid, 'VmRSS');
      const start = performance.now();
      await Promise.all(Array.from({ length: atOnce }, () => send(service, bytes)));
      const seconds = (performance.now() - start) / 1000;
      const peak = await readMegabytes(service.apiPid, 'VmHWM');
      rows.push([name, before.toFixed(0), peak.toFixed(0), (peak - before).toFixed(0), seconds.toFixed(1)]);
    }
    printTable(['upload', 'RSS before, MB', 'peak, MB', 'raise, MB', 's'], rows);
    const raise = Number(rows[0]?.[3]);
    if (raise > limitMegabytes)
      throw new Error(`250 MB raised the API by ${raise} MB, over ${limitMegabytes} MB`);
  } finally {
    await service.stop();
  }
}

async function send({ baseUrl, apiKey }: ServiceProcesses, bytes: number): Promise<void> {
  const response = await fetch(`${baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=b',
    },
    body: ReadableStream.from(form(bytes)) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: 'half',
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
}

function* form(bytes: number): Generator<Uint8Array> {
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="question"\r\n\r\nWhat was said?\r\n');
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="talk.mp3"\r\n\r\n');
  for (let rest = bytes; rest > 0; rest -= chunk.length) yield chunk.subarray(0, rest);
  yield Buffer.from('\r\n--b--\r\n');
}

/** Resets the peak that Linux keeps for the process. */
const resetPeak = (pid: number) => writeFile(`/proc/${pid}/clear_refs`, '5');

async function readMegabytes(pid: number, field: string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1];
  if (kilobytes === undefined) throw new Error(`no ${field} in /proc/${pid}/status`);
  return (Number(kilobytes) * 1024) / 1e6;
}
