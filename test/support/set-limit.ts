import { limits } from '@errand/platform';
import { onTestFinished } from 'vitest';

/** Sets a limit until the test ends, so that what passes it is small. */
export function setLimit(name: keyof typeof limits, value: number): void {
  const changed: Record<string, unknown> = limits;
  const before = changed[name];
  changed[name] = value;
  onTestFinished(() => {
    changed[name] = before;
  });
}
