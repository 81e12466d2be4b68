import { ruleByShape } from './by-shape.ts';
import { expressionsOf } from './expressions.ts';
import type { Path } from './language/cursor.ts';

/** Paths of one update, or of one projection, that lie within each other, or take one attribute for a map and a list. */
export const documentPathProblems = ruleByShape((operation) =>
  expressionsOf(operation).flatMap(({ parameter, paths, actions }) => {
    const written = paths ?? actions?.map(({ path }) => path) ?? [];
    const resolved = written.map((path) => resolve(path, operation.ExpressionAttributeNames));
    return resolved.flatMap((path, i) =>
      resolved.slice(i + 1).flatMap((other) => {
        const problem = clash(path, other);
        return problem ? [`document paths: ${show(path)} and ${show(other)} ${problem} in ${parameter}`] : [];
      }),
    );
  }),
);

/** The path with the names that its placeholders stand for. */
export const resolve = (path: Path, names: Record<string, string> = {}): Path =>
  path.map((part) => (typeof part === 'string' && part.startsWith('#') ? (names[part] ?? part) : part));

const show = (path: Path): string => `[${path.join(', ')}]`;

function clash(path: Path, other: Path): 'overlap' | 'conflict' | undefined {
  const shared = Math.min(path.length, other.length);
  for (let i = 0; i < shared; i++) {
    if (typeof path[i] !== typeof other[i]) return 'conflict';
    if (path[i] !== other[i]) return undefined;
  }
  return 'overlap';
}
