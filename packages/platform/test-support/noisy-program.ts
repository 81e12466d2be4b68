import { createLog } from '../log.ts';
import { logProcess } from '../process-log.ts';

const failure = () => new RangeError('a secret');

/** What a process may say or die of, by the name that its first argument gives. */
const noises: Record<string, () => void> = {
  exception: () =>
    setTimeout(() => {
      throw failure();
    }),
  rejection: () => void Promise.reject(failure()),
  'rejection of no error': () => void Promise.reject('a secret'),
  warning: () => process.emitWarning('a secret', { code: 'NOISE' }),
  deprecation: () => process.emitWarning('a secret', 'DeprecationWarning', 'DEP0'),
  'console.warn': () => console.warn('a secret'),
  'console.error': () => console.error('a secret', failure()),
  'console.log': () => console.log('a secret'),
};

logProcess(
  createLog((line) => process.stderr.write(`${line}\n`)),
  () => process.exit(1),
);
noises[process.argv[2] ?? '']?.();
