import { open, readFile, writeFile } from 'node:fs/promises';
import { type AskedCases, askCases, readCases, reportCalibration } from '@errand/decisions';
import { addressOf, type Model } from '@errand/models';
import { formatEuro } from '@errand/money';
import { isDomainError } from '@errand/platform';
import { type Desk, defineDeskCommand } from '../command.ts';
import { findDecisionModel } from '../decision-model.ts';
import { faultLog } from '../fault-log.ts';
import { Refusal } from '../refusal.ts';
import { drawReliability } from '../reliability/draw.ts';
import { failureLines, reportLines } from '../reliability/lines.ts';

const calibrate = defineDeskCommand({
  name: 'decisions calibrate',
  options: ['--model <ID>', '--cases <FILE.jsonl>', '[--svg <FILE>]', '[--seed <1>]', '[--threshold <0.5>]'],
  async runAtDesk(desk, { model: id, cases: file, svg, seed, threshold }) {
    const options = {
      seed: seed === undefined ? undefined : readSeed(seed),
      threshold: threshold === undefined ? undefined : readThreshold(threshold),
    };
    const model = await findDecisionModel(desk, id);
    const cases = await readCasesOf(file);
    if (svg !== undefined) await checkWritable(svg);
    const asked = await ask(desk, model, cases);
    const report = reportCalibration(model, asked.reads, options);
    if (svg !== undefined) await writeFile(svg, drawReliability(id, report));
    const { failed, inputTokens, costNanoEuro } = asked;
    const spent = { inputTokens, cost: formatEuro(costNanoEuro) };
    return {
      json: { model: id, ...report, failed, ...spent },
      lines: reportLines(id, report, { ...spent, failed }),
    };
  },
});

/** Seeds are numbers of 32 bits. */
const mostSeed = 2 ** 32 - 1;

function readSeed(text: string): number {
  if (/^\d+$/.test(text) && Number(text) <= mostSeed) return Number(text);
  throw new Refusal(`--seed must be a whole number from 0 to ${mostSeed}, not ${text}`);
}

function readThreshold(text: string): number {
  if (/^(0(\.\d+)?|1(\.0+)?)$/.test(text)) return Number(text);
  throw new Refusal(`--threshold must be a number from 0 to 1, not ${text}`);
}

type Cases = ReturnType<typeof readCases>['cases'];

async function readCasesOf(file: string): Promise<Cases> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${file} cannot be read (${error.code}).`);
  });
  const { cases, problems } = readCases(text);
  if (problems.length > 0)
    throw new Refusal(problems.map(({ line, problem }) => `${file}:${line}: ${problem}`).join('\n'));
  if (cases.length === 0) throw new Refusal(`${file} has no cases.`);
  return cases;
}

/** Makes the file if there is none, so that no model is asked for a diagram that cannot be kept. */
async function checkWritable(file: string): Promise<void> {
  const handle = await open(file, 'a').catch((error: NodeJS.ErrnoException) => {
    throw new Refusal(`${file} cannot be written (${error.code}).`);
  });
  await handle.close();
}

async function ask({ clock, tell }: Desk, model: Model, cases: Cases): Promise<AskedCases> {
  const log = faultLog(tell);
  // What the answers emit is not reported, so the grid is not asked either.
  const deps = { clock, log, carbonIntensity: async () => 0 };
  const asked = await askCases(deps, model, cases, (done) => {
    if (isTenth(done, cases.length)) tell(`${done} of ${cases.length} cases asked`);
  }).catch((error: unknown) => {
    throw isDomainError(error, 'upstream_misconfigured') ? new Refusal(misconfigured(model)) : error;
  });
  for (const line of failureLines(asked.failed)) tell(line);
  if (asked.reads.length === 0) throw new Refusal('All cases failed.');
  return asked;
}

const misconfigured = ({ id, upstream }: Model): string =>
  `The server at ${addressOf(upstream)} refuses what the catalogue says of ${id} (key, path or name), or its tokenizer cannot be used. No more cases are asked.`;

const isTenth = (done: number, all: number): boolean =>
  Math.floor((10 * done) / all) > Math.floor((10 * (done - 1)) / all);

export const decisionsCommands = [calibrate];
