import { readFile, writeFile } from 'node:fs/promises';
import { printTable } from '../figures.ts';
import { type ServiceProcesses, startProcesses } from '../service-processes.ts';

const limitMegabytes = 64;
const silence = Buffer.alloc(65_536);

const uploads = [
  { name: 'one recording of 250 MB', file: 'talk.mp3', bytes: 250_000_000, atOnce: 1 },
  { name: 'four recordings of 100 MB at once', file: 'talk.mp3', bytes: 100_000_000, atOnce: 4 },
  { name: '64 texts of 1 MB at once', file: 'text.md', bytes: 1_000_000, atOnce: 64 },
  { name: '64 texts of 10 MB at once', file: 'text.md', bytes: 10_000_000, atOnce: 64 },
  { name: '64 pages of 5 MB at once', file: 'page.html', bytes: 5_000_000, atOnce: 64 },
];

const text = Buffer.from('A line of words that says what is so, and of what.\n'.repeat(1_300));

/** Measures how far uploads raise the resident memory of a process that serves the API and nothing else. */
export default async function run(): Promise<void> {
  const service = await startProcesses();
  try {
    const rows: (string | number)[][] = [];
    for (const { name, file, bytes, atOnce } of uploads) {
      await resetPeak(service.apiPid);
      const before = await readMegabytes(service.apiPid, 'VmRSS');
      const start = performance.now();
      const sending = Array.from({ length: atOnce }, () => send(service, file, bytes));
      const refused = (await Promise.all(sending)).filter((status) => status !== 202).length;
      const seconds = (performance.now() - start) / 1000;
      const peak = await readMegabytes(service.apiPid, 'VmHWM');
      rows.push([
        name,
        before.toFixed(0),
        peak.toFixed(0),
        (peak - before).toFixed(0),
        refused,
        seconds.toFixed(1),
      ]);
    }
    printTable(['upload', 'RSS before, MB', 'peak, MB', 'raise, MB', 'refused', 's'], rows);
    const raise = Number(rows[0]?.[3]);
    if (raise > limitMegabytes)
      throw new Error(`250 MB raised the API by ${raise} MB, over ${limitMegabytes} MB`);
  } finally {
    await service.stop();
  }
}

/** The status: a document may be refused because others were read for too long. */
async function send({ baseUrl, apiKey }: ServiceProcesses, file: string, bytes: number): Promise<number> {
  const response = await fetch(`${baseUrl}/v1/agents/runs`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'multipart/form-data; boundary=b',
    },
    body: ReadableStream.from(form(file, bytes)) as unknown as ReadableStream<Uint8Array<ArrayBuffer>>,
    duplex: 'half',
  });
  await response.arrayBuffer();
  return response.status;
}

function* form(file: string, bytes: number): Generator<Uint8Array> {
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="question"\r\n\r\nWhat was said?\r\n');
  yield Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="');
  yield Buffer.from(`${file}"\r\n\r\n`);
  const chunk = file.endsWith('.mp3') ? silence : text;
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
