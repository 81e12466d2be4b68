import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const read = `
  const { decodedTexts } = await import(process.argv[1]);
  for (let length = 600; length < 1_200; length++)
    for (let i = 0; i < 5; i++) await decodedTexts(Buffer.alloc(length, '\\0abcdefg').toString('base64'));
  console.log('read');
`;

test('long bytes that may be UTF-16 are read without harm to the process, whatever their length', () => {
  const file = path.join(import.meta.dirname, 'sent-text.ts');
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', read, file], {
    encoding: 'utf8',
  });
  expect(said).toBe('read\n');
});
