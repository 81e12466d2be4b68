import { parseArgs } from 'node:util';
import { startTestDynamo } from '../../support/dynamodb.ts';
import { measureCharges } from './charges.ts';
import { measureFlood } from './flood.ts';
import { measureCollisions } from './measure-collisions.ts';
import { measurePurse } from './purse-sizes.ts';

const parts = ['charges', 'collisions', 'flood', 'purse'];

/**
 * `--only charges,flood` runs some parts, `--most 10` has ten processes at most, `--rounds 3` repeats what is as fast as it
 * goes, `--at-once 100` and `--seconds 30` are for collisions.
 */
export default async function run(args: string[] = []): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string', default: parts.join(',') },
      most: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '2' },
      'at-once': { type: 'string', default: '1,16,100' },
      seconds: { type: 'string', default: '10' },
    },
  });
  const asked = values.only.split(',');
  const unknown = asked.filter((part) => !parts.includes(part));
  if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')}; there are: ${parts.join(', ')}`);
  const [most, rounds, seconds] = [values.most, values.rounds, values.seconds].map(Number) as [
    number,
    number,
    number,
  ];
  const upTo = (counts: number[]) => counts.filter((count) => count <= most);
  const dynamo = await startTestDynamo();
  try {
    if (asked.includes('charges')) await measureCharges(dynamo, upTo([1, 10, 100]), rounds);
    if (asked.includes('collisions'))
      await measureCollisions(dynamo, values['at-once'].split(',').map(Number), seconds);
    if (asked.includes('flood')) await measureFlood(dynamo, seconds);
    if (asked.includes('purse')) measurePurse();
  } finally {
    await dynamo.close();
  }
}
