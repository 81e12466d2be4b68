import { totalmem } from 'node:os';
import { limits } from '@errand/platform';

/** What this process may use, in bytes: the machine's memory, or less in a container. */
const processMemory = (): number =>
  Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);

/** Whether documents must be converted one after the other. */
export const hasLittleMemory = (bytes = processMemory()): boolean =>
  bytes < limits.memoryForThreadsMegabytes * 2 ** 20;
