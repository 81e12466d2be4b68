import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { circlesOf, importsOf } from '../test/architecture/circles.ts';

/*
 * Measures a checkout, so that two of them can be compared: `npm run -s house -- DIR`. Lines are those of files that git
 * knows, without generated ones. A room is a folder of `packages`.
 */

const root = path.resolve(process.argv[2] ?? '.');
const known = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' })
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)));

const isGenerated = (file: string) => /schema\.d\.ts$|^packages\/client\/schema\.ts$/.test(file);
const isTest = (file: string) => /\.test\.tsx?$|\/test-support\//.test(file) || file.startsWith('test/');
const isCode = (file: string) => /\.(tsx?|mjs|css)$/.test(file) && !isGenerated(file);
const text = (file: string) => readFileSync(path.join(root, file), 'utf8');
const lines = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + text(file).split('\n').length - 1, 0);
const words = (file: string) => text(file).split(/\s+/).filter(Boolean).length;
const recipes = (text('AGENTS.md').split(/^## Recipes$/m)[1] ?? '').split(/^## /m)[0] ?? '';

const code = known.filter((file) => isCode(file) && !isTest(file));
const rooms = code.filter((file) => file.startsWith('packages/'));
const tests = known.filter((file) => isCode(file) && isTest(file));
const circles = circlesOf(
  importsOf(
    root,
    code.filter((file) => /\.tsx?$/.test(file)),
  ),
);

const figures = {
  'lines of code in packages': lines(rooms),
  'files of code in packages': rooms.length,
  'lines of code in all': lines(code),
  'lines of tests': lines(tests),
  'files of tests': tests.length,
  'circles of files': circles.length,
  'rows of recipes in AGENTS.md': recipes.split('\n').filter((line) => /^\| (?!change|room|---)/.test(line))
    .length,
  'words of AGENTS.md': words('AGENTS.md'),
  'words of README.md': words('README.md'),
  'words of docs': known
    .filter((file) => /^docs\/[^/]+\.md$/.test(file))
    .reduce((sum, file) => sum + words(file), 0),
};
for (const [name, figure] of Object.entries(figures)) console.log(`${String(figure).padStart(7)}  ${name}`);
for (const circle of circles) console.log(`a circle of ${circle.length}: ${circle.join(' ')}`);
