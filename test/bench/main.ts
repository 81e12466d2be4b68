import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const benches = [
  'runs',
  'fairness',
  'chat',
  'containers',
  'decisions',
  'uploads',
  'lambda',
  'memory',
  'cost',
  'hostile',
  'soak',
  'bounds',
  'readers',
  'usage',
  'start',
  'restore',
  'money',
  'passages',
  'first-answer',
  'profile',
  'gate',
];

/**
 * `npm run bench` runs the first benchmark, `npm run bench -- NAME ...` the named ones, `npm run bench -- all` every one.
 * Options after the names are passed to each.
 */
async function main(): Promise<void> {
  const given = process.argv.slice(2);
  const firstOption = given.findIndex((one) => one.startsWith('--'));
  const options = firstOption === -1 ? [] : given.slice(firstOption);
  const asked = given.slice(0, given.length - options.length);
  const names = asked.length === 0 ? benches.slice(0, 1) : asked[0] === 'all' ? benches : asked;
  const file = (name: string) => path.join(import.meta.dirname, name, 'run.ts');
  const unknown = names.filter((name) => !benches.includes(name) || !existsSync(file(name)));
  if (unknown.length > 0) {
    console.error(`No benchmark named ${unknown.join(', ')}. There are: ${benches.join(', ')}.`);
    process.exitCode = 2;
    return;
  }
  const [cpu] = os.cpus();
  console.log(
    `${os.cpus().length} x ${cpu?.model.trim()}, Node ${process.versions.node}, ${os.type()} ${os.arch()}`,
  );
  for (const name of names) {
    console.log(`\n## ${name}\n`);
    const { default: run } = (await import(file(name))) as { default: (options: string[]) => Promise<void> };
    await run(options);
  }
}

await main();
process.exit();
