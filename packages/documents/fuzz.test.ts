import fc from 'fast-check';
import { expect, test } from 'vitest';
import { convertBytes } from './convert-bytes.ts';
import { DocumentError, documentExtensions } from './index.ts';
import { readFixture, readWhole } from './test-support/fixtures.ts';

const samples = [
  'office.docx',
  'office.pptx',
  'office.xlsx',
  'office.odt',
  'office.ods',
  'office.odp',
  'office.rtf',
  'pandoc.epub',
  'pandoc.html',
  'office.pdf',
];
const sources = new Map(samples.map((name) => [name, readFixture(name)]));

const damage = fc.record({
  name: fc.constantFrom(...samples),
  keep: fc.double({ min: 0.05, max: 1, noNaN: true }),
  changes: fc.array(fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), byte: fc.nat(255) }), {
    maxLength: 20,
  }),
});

function damaged({
  name,
  keep,
  changes,
}: {
  name: string;
  keep: number;
  changes: { at: number; byte: number }[];
}) {
  const whole = sources.get(name)!;
  const bytes = whole.slice(0, Math.ceil(whole.length * keep));
  for (const { at, byte } of changes) bytes[Math.floor(at * (bytes.length - 1))] = byte;
  return { bytes, extension: name.slice(name.indexOf('.')) };
}

function expectSettled(result: unknown): void {
  if (result instanceof DocumentError) expect(result.message).toMatch(/^[^\n]+\.$/);
  else expect(result).toHaveProperty('text', expect.stringMatching(/\S/));
}

test('a cut or changed file gives a result or a refusal, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async (input) => {
      const { bytes, extension } = damaged(input);
      expectSettled(
        await convertBytes(bytes, extension, { outputCharacters: 10_000 }).catch((error) => error),
      );
    }),
    { numRuns: 300 },
  );
});

test('any sequence of bytes under any extension gives a result or a refusal, never anything else', async () => {
  const start = fc.constantFrom('', '%PDF-1.7\n', '{\\rtf1', 'PK\x03\x04', '<html><table>', '"', '[{');
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...documentExtensions),
      start,
      fc.uint8Array({ maxLength: 500 }),
      async (extension, head, tail) => {
        const bytes = new Uint8Array(Buffer.concat([Buffer.from(head, 'latin1'), tail]));
        expectSettled(
          await convertBytes(bytes, extension, { outputCharacters: 10_000 }).catch((error) => error),
        );
      },
    ),
    { numRuns: 500 },
  );
});

test('the worker gives a result or a refusal for any bytes, never anything else', async () => {
  await fc.assert(
    fc.asyncProperty(damage, async (input) => {
      expectSettled(await readWhole(damaged(input)).catch((error) => error));
    }),
    { numRuns: 25 },
  );
});
