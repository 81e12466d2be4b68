import { tmpdir } from 'node:os';
import path from 'node:path';

/** Programs of others are installed and configured here. */
export const cacheFolder = path.join(tmpdir(), 'errand-bench');

/** Resolves when something answers on the port. */
export async function serves(port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`nothing serves on port ${port}`);
}
