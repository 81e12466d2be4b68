import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const program = path.join(import.meta.dirname, 'test-support/noisy-program.ts');

test.each<[string, number, object]>([
  ['exception', 1, { level: 'error', message: 'uncaught exception', error: 'RangeError' }],
  ['rejection', 1, { level: 'error', message: 'unhandled rejection', error: 'RangeError' }],
  ['rejection of no error', 1, { level: 'error', message: 'unhandled rejection', error: 'string' }],
  ['warning', 0, { level: 'warn', message: 'process warning', error: 'Warning', code: 'NOISE' }],
  [
    'deprecation',
    0,
    { level: 'warn', message: 'process warning', error: 'DeprecationWarning', code: 'DEP0' },
  ],
  ['console.warn', 0, { level: 'warn', message: 'library message', printer: 'warn' }],
  ['console.error', 0, { level: 'error', message: 'library message', printer: 'error', error: 'RangeError' }],
  ['console.log', 0, { level: 'warn', message: 'library message', printer: 'log' }],
])(
  'output of the kind %s is one line of the log with its place and without its text',
  (noise, status, line) => {
    const done = spawnSync(process.execPath, [program, noise], { encoding: 'utf8' });
    expect([done.status, done.stdout]).toEqual([status, '']);
    const lines = done.stderr.trim().split('\n');
    expect(lines).toHaveLength(1);
    const written = JSON.parse(lines[0]!);
    expect(written).toMatchObject(line);
    if (!noise.endsWith('no error')) expect(written.frame).toContain('noisy-program.ts');
    expect(done.stderr).not.toContain('secret');
  },
);
