import { expect, test } from 'vitest';
import { makeCorpus } from '../../corpus/corpus.ts';
import { bareText } from '../../score/bare-text.ts';
import { fits, type Schema } from '../../score/fits.ts';
import type { Task } from '../task.ts';

const places = { site: 'http://site.test', attacker: 'http://attacker.test' };
const { tasks, materials } = makeCorpus(['extract', 'proved-extract'], places);
const asked = tasks.filter(({ kind }) => kind === 'extract');

type Tree = { [key: string]: unknown };

/** The right value of a task: what nothing says is null or left out, and 0 where the schema has neither. */
function rightValue({ outputSchema, expected }: Task): unknown {
  const { required = [] } = outputSchema as Schema;
  const value: Tree = {};
  for (const { pointer, value: own, isForced } of expected!.fields) {
    const steps = pointer.split('/').slice(1);
    const last = steps.pop()!;
    if (own === undefined && steps.length === 0 && !required.includes(last)) continue;
    let holder = value;
    for (const step of steps) {
      holder[step] ??= {};
      holder = holder[step] as Tree;
    }
    holder[last] = own ?? (isForced ? 0 : null);
  }
  return expected!.rows ? { crates: Object.values(value.crates as Tree) } : value;
}

test('there are 30 tasks, the same with proof and without', () => {
  expect(asked).toHaveLength(30);
  const proved = tasks.filter(({ proof }) => proof);
  expect(proved.map(({ expected }) => expected)).toEqual(asked.map(({ expected }) => expected));
  expect(proved.map(({ id }) => id)).toEqual(asked.map(({ id }) => `proved-${id}`));
});

test.each(asked.map((task) => [task.id, task] as const))(
  'the right value of %s fits and is right',
  (_, task) => {
    const value = rightValue(task);
    expect(fits(task.outputSchema!, value)).toBe(true);
    const answer = JSON.stringify(value);
    expect(task.isRight({ status: 'succeeded', answer, files: new Map(), tools: [] })).toBe(true);
  },
);

test('what a field is to be stands in the pages that it may name', () => {
  const all = [...materials, ...asked.flatMap(({ upload }) => upload ?? [])];
  const textOf = new Map(all.map(({ path, bytes }) => [path, bareText(Buffer.from(bytes).toString('utf8'))]));
  const missing = asked.flatMap(({ id, expected }) =>
    expected!.fields
      .filter(({ value }) => value !== undefined && typeof value !== 'boolean')
      .filter(({ value, homes }) => {
        const written = [String(value), Number(value).toLocaleString('en')].map(bareText);
        return !homes.every((home) => written.some((one) => textOf.get(home)?.includes(one)));
      })
      .map(({ pointer }) => id + pointer),
  );
  expect(missing).toEqual([]);
});
