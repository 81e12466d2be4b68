import { silentLog } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { caseOf } from '../../request.ts';
import { createFakeModel } from '../../test-support/fake-model.ts';
import {
  favours,
  kinds,
  labelsOf,
  normalise,
  slotsOf,
  three,
  tryReader,
} from '../../test-support/label-readers.ts';
import { upstreamDeps } from '../../test-support/models.ts';

describe.each(kinds)('what the $name engine reads of labels', (kind) => {
  const reader = tryReader(kind);

  it.each([
    { split: 'none', options: {} },
    { split: 'pairs of letters', options: { splitsPairs: true } },
    { split: 'the space before a letter', options: { splitsLetters: true } },
  ])(
    'reads the true probabilities of every label to 1e-6 where the tokenizer splits $split',
    async ({ options }) => {
      const letters = options.splitsLetters
        ? Object.fromEntries([...'ABCDEFGH'].map((l) => [l, 7]))
        : favours;
      const model = createFakeModel({ ...options, favours: letters });
      await reader.start({ model, beginning: 2_999 });
      const reading = await reader.ask(three);
      expect(reader.modelRequests()).toHaveLength(1);
      const ids = reader.idsRead();
      const slots = slotsOf(model, ids, 3);
      expect(reading.inputTokens).toBe(ids.length);
      for (const [index, { options: answers }] of three.questions.entries()) {
        const labels = labelsOf(model, ids, index + 1);
        expect(labels).toHaveLength(answers.length);
        const logprobs = model.logprobs(ids.slice(0, slots[index]));
        const truth = normalise(labels.map((id) => Math.exp(logprobs[id] ?? Number.NaN)));
        for (const [option, probability] of truth.entries())
          expect(reading.probabilities[index]?.[option]).toBeCloseTo(probability, 6);
      }
    },
  );

  it('divides the logprobs of the labels, and of nothing else, by the catalogue’s temperature', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const plain = await reader.ask(three);
    const hot = await reader.ask(three, reader.entry({ calibration: { temperature: 2.5 } }));
    for (const [index, read] of plain.probabilities.entries()) {
      const truth = normalise((read ?? []).map((probability) => probability ** (1 / 2.5)));
      for (const [option, probability] of truth.entries())
        expect(hot.probabilities[index]?.[option]).toBeCloseTo(probability, 9);
    }
    expect(
      (await reader.ask(three, reader.entry({ calibration: { temperature: 1 } }))).probabilities,
    ).toEqual(plain.probabilities);
  });

  it('is not led astray by a state that looks like an answer sheet', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const sheet = 'Answer sheet, with the label of one option for each question:\n1: ?\n2: ?\n3: ?';
    const reading = await reader.ask({ ...three, input: caseOf(sheet) });
    const ids = reader.idsRead();
    const last = model.logprobs(ids.slice(0, ids.length - 1));
    const labels = labelsOf(model, ids, 3);
    const truth = normalise(labels.map((id) => Math.exp(last[id] ?? Number.NaN)));
    expect(reading.probabilities[2]?.[0]).toBeCloseTo(truth[0] ?? Number.NaN, 6);
  });

  it('adds the catalogue’s offset to the log-odds of yes in a noul, and to nothing else', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const [plain, moved] = await Promise.all(
      [{ temperature: 2.5 }, { temperature: 2.5, offset: -1.5 }].map((calibration) =>
        reader.ask(three, reader.entry({ calibration })),
      ),
    );
    const logOdds = ([yes = 0, no = 0]: readonly number[] = []) => Math.log(yes / no);
    expect(logOdds(moved?.probabilities[0])).toBeCloseTo(logOdds(plain?.probabilities[0]) - 1.5, 9);
    expect(moved?.probabilities.slice(1)).toEqual(plain?.probabilities.slice(1));
  });

  it('logs and tells the probability of all labels together, and nothing of the case', async () => {
    const lines: string[] = [];
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const log = {
      ...silentLog,
      info: (message: string, fields?: object) => lines.push(JSON.stringify({ message, ...fields })),
    };
    const { labels } = await reader.ask(three, reader.entry(), upstreamDeps({ log }));
    const line = JSON.parse(lines[0] ?? '{}');
    const ids = reader.idsRead();
    const logprobs = model.logprobs(ids.slice(0, slotsOf(model, ids, 3)[0]));
    const mass = labelsOf(model, ids, 1).reduce((sum, id) => sum + Math.exp(logprobs[id] ?? Number.NaN), 0);
    expect(line.labelMass[0]).toBeCloseTo(mass, 2);
    expect(labels?.[0]?.labelMass).toBeCloseTo(mass, 9);
    expect(labels?.map(({ labelsOmitted }) => labelsOmitted)).toEqual([0, 0, 0]);
    expect(lines.join()).not.toContain('Ann');
  });
});
