import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

export interface Source {
  /** Relative to the repository, with forward slashes. */
  file: string;
  /** The package of the file or, outside of packages, its top-level folder. */
  room: string;
  text: string;
  isTest: boolean;
  imports: string[];
}

const importPattern = /(?:\bfrom\s+|\bimport\s*\(\s*|\bimport\s+)['"]([^'"]+)['"]/g;

/** Every TypeScript source of the repository. */
export function readSources(): Source[] {
  const files = globSync('{packages,functions,infra,scripts,test}/**/*.{ts,tsx}', {
    cwd: root,
    exclude: (name) => /node_modules|fixtures|\bdist$/.test(name),
  });
  return files.map((found) => {
    const file = found.split(path.sep).join('/');
    const text = readFileSync(path.join(root, file), 'utf8');
    const [top = '', second = ''] = file.split('/');
    return {
      file,
      text,
      room: top === 'packages' ? second : top,
      isTest: /\.test\.tsx?$|\/test-support\/|^packages\/[^/]+\/testing\.ts$/.test(file) || top === 'test',
      imports: [...text.matchAll(importPattern)].map((match) => match[1] ?? ''),
    };
  });
}
