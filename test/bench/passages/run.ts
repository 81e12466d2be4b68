import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { printTable } from '../figures.ts';
import { type Material, materials } from './materials.ts';
import type { Measured, Reader } from './read.ts';

/** Measures what reading large materials takes: each in a process of its own, with a query that only its end answers. */
export default async function run(): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-passages-'));
  try {
    const rows = materials.map((material) => row(material, readIn(folder, material)));
    printTable(
      [
        'material',
        'characters',
        'passages',
        'packed, MB',
        'read: s',
        'raise, MB',
        'turn, ms',
        'again: s',
        'raise, MB',
      ],
      rows,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readIn(folder: string, { extension, isPage = false, make }: Material): Reader | string {
  const file = path.join(folder, `material${extension}`);
  writeFileSync(file, make());
  const program = path.join(import.meta.dirname, 'read.ts');
  try {
    const args = [program, file, extension, isPage ? 'page' : 'document'];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' })) as Reader;
  } catch (error) {
    return /^\w*Error: (.+)$/m.exec((error as { stderr: string }).stderr)?.[1] ?? String(error);
  }
}

function row({ name }: Material, reader: Reader | string): string[] {
  if (typeof reader === 'string') return [name, reader];
  const { characters, passages, packedMegabytes, read, again } = reader;
  const figures = ({ seconds, raiseMegabytes }: Measured) => [seconds.toFixed(1), raiseMegabytes.toFixed(0)];
  return [
    name,
    characters.toLocaleString('en'),
    passages.toLocaleString('en'),
    packedMegabytes.toFixed(1),
    ...figures(read),
    read.longestTurnMilliseconds.toFixed(0),
    ...figures(again),
  ];
}
