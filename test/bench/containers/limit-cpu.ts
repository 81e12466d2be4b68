import { takenCpu } from '../processes.ts';

/**
 * Holds a process to a part of a CPU, as the scheduler holds a container: in each 100 ms it may run until its part is used
 * up, and then stands still. What it takes too much of is missing in the next. Arguments: its id, and the part.
 */
const [pid = Number.NaN, cpus = Number.NaN] = process.argv.slice(2).map(Number);
const periodMilliseconds = 100;
const part = cpus * periodMilliseconds;

let left = part;
let before = takenCpu([pid]);
let refilledAt = performance.now();
let stands = false;

setInterval(() => {
  const taken = takenCpu([pid]);
  left -= taken - before;
  before = taken;
  const now = performance.now();
  for (; now - refilledAt >= periodMilliseconds; refilledAt += periodMilliseconds)
    left = Math.min(left + part, part);
  if (stands === left <= 0) return;
  stands = !stands;
  process.kill(pid, stands ? 'SIGSTOP' : 'SIGCONT');
}, 3);

process.once('SIGTERM', () => {
  process.kill(pid, 'SIGCONT');
  process.exit();
});
process.stdout.write('ready\n');
