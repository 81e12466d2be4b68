import { readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');
export const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

interface Step {
  name: string;
  rest: string;
}

/** The stages of the Dockerfile, each with its steps in their order. */
export const stages: Step[][] = [];
for (const line of read('Dockerfile').replaceAll('\\\n', ' ').split('\n')) {
  const [, name = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
  if (name === 'FROM') stages.push([]);
  if (name !== '') stages.at(-1)?.push({ name, rest: rest.trim().replaceAll(/ {2,}/g, ' ') });
}

export const last = stages.at(-1) ?? [];

/** What the steps of this name say. */
export const said = (steps: readonly Step[], wanted: string): string[] =>
  steps.filter(({ name }) => name === wanted).map(({ rest }) => rest);

export const imageEnvironment = Object.fromEntries(
  said(last, 'ENV').flatMap((rest) => rest.split(' ').map((pair) => pair.split('=') as [string, string])),
);

const rules = read('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => ({ lets: line.startsWith('!'), pattern: line.replace(/^!/, '') }));

/** Whether a file of the repository reaches the build, by the last rule that fits it or a folder above it. */
export function isLetIn(file: string): boolean {
  const parts = file.split('/');
  const paths = parts.map((_, i) => parts.slice(0, i + 1).join('/'));
  return rules.reduce(
    (isIn, { lets, pattern }) => (paths.some((each) => matches(each, pattern)) ? lets : isIn),
    true,
  );
}

const matches = (file: string, pattern: string): boolean =>
  new RegExp(
    `^${pattern
      .replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('**/', '(ANY/)?')
      .replaceAll('*', '[^/]*')
      .replaceAll('ANY', '.*')}$`,
  ).test(file);
