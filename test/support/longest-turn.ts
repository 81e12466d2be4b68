/**
 * The longest turn of the event loop while something runs, in milliseconds of this thread's processor time: others share
 * the machine.
 */
export async function longestTurn(run: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let running = true;
  let last = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(last);
    longest = Math.max(longest, (user + system) / 1_000);
    last = process.threadCpuUsage();
    if (running) setImmediate(turn);
  };
  turn();
  try {
    await run();
    // The turn in which the work ended counts too.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    running = false;
  }
  return longest;
}
