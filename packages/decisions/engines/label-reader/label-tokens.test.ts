import { DomainError } from '@errand/platform';
import { describe, expect, it } from 'vitest';
import { createFakeModel, type FakeModel } from '../../test-support/fake-model.ts';
import {
  favours,
  kinds,
  labelsOf,
  many,
  normalise,
  three,
  tryReader,
} from '../../test-support/label-readers.ts';

describe.each(kinds)('the prompt and the tokens of the $name engine', (kind) => {
  const reader = tryReader(kind);

  it('shows state, questions and options in the order sent, an id for absent instructions, a key for null', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    await reader.ask(three);
    const prompt = reader
      .received('/tokenize')
      .map(({ body }): string => JSON.parse(body).prompt)
      .find((text) => text.includes('Ann'));
    expect(prompt).toContain('Case:\n{"customer":"Ann","2":"second key","1":"third key"');
    expect(prompt).toContain('Question 1: Is it late?\n- A: yes\n- B: no');
    expect(prompt).toContain('Question 2: 2\n- A: the second\n- B: 7\n- C: {"z":1,"0":2}');
    expect(prompt).toContain('Question 3: level\n- A: low\n- B: 1\n- C: high\n- D: very high');
  });

  it('tokenizes the labels once, and the prompt each time', async () => {
    const one = { ...three, questions: three.questions.slice(0, 1) };
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const entry = reader.entry();
    await Promise.all([1, 2].map(() => reader.ask(one, entry)));
    await reader.ask(one, entry);
    expect(reader.received('/tokenize')).toHaveLength(3 + 5 + 2 + 3);
    expect(reader.modelRequests()).toHaveLength(3);
  });

  it('reads with a tokenizer that joins a sign to the line end after it, as o200k does', async () => {
    const model = createFakeModel({ favours, joinsSigns: true });
    await reader.start({ model });
    const reading = await reader.ask(many(10));
    const [probabilities = []] = reading.probabilities;
    expect(probabilities).toHaveLength(10);
    expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 9);
  });

  it('has 255 labels of one token each', async () => {
    const model = createFakeModel({ favours });
    await reader.start({ model });
    const reading = await reader.ask(many(255));
    const labels = labelsOf(model, reader.idsRead(), 1);
    expect(new Set(labels).size).toBe(255);
    expect(reading.probabilities[0]).toHaveLength(255);
    expect(reading.probabilities[0]?.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 9);
  });

  it('fails as misconfigured if the tokenizer has too few labels of one token', async () => {
    await reader.start({ model: createFakeModel({ splitsLetters: true, favours }) });
    await expect(reader.ask(many(255))).rejects.toMatchObject({ code: 'upstream_misconfigured' });
    expect(reader.modelRequests()).toHaveLength(0);
  });

  it('forgets a tokenizer that has changed, and reads correctly the next time', async () => {
    let model = createFakeModel({ favours });
    const changing: FakeModel = {
      tokenize: (text) => model.tokenize(text),
      textOf: (id) => model.textOf(id),
      logprobs: (before) => model.logprobs(before),
    };
    await reader.start({ model: changing });
    const entry = reader.entry();
    await reader.ask(three, entry);
    model = createFakeModel({ splitsLetters: true, favours: { A: 9, B: 9, C: 9, D: 9 } });
    await expect(reader.ask(three, entry)).rejects.toBeInstanceOf(DomainError);
    const { probabilities } = await reader.ask(three, entry);
    const ids = reader.idsRead(-1);
    const logprobs = model.logprobs(ids.slice(0, -1));
    const truth = normalise(labelsOf(model, ids, 3).map((id) => Math.exp(logprobs[id] ?? Number.NaN)));
    expect(probabilities[2]?.[0]).toBeCloseTo(truth[0] ?? Number.NaN, 6);
  });
});
