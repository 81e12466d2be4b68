import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Which of these files each file imports, types and lazily loaded ones too. */
export function importsOf(root: string, files: readonly string[]): Map<string, string[]> {
  const known = new Set(files);
  const imported = (file: string) =>
    [
      ...readFileSync(path.join(root, file), 'utf8').matchAll(
        /\b(?:from |import |import\()'(\.{1,2}\/[^']+)'/g,
      ),
    ]
      .map(([, to = '']) => path.posix.join(path.posix.dirname(file), to))
      .filter((to) => known.has(to));
  return new Map(files.map((file) => [file, imported(file)]));
}

/** The groups of files of which each imports every other, directly or through others (Tarjan's strongly connected components). */
export function circlesOf(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (file: string) => {
    order.set(file, order.size);
    lowest.set(file, order.get(file)!);
    path.push(file);
    for (const to of imports.get(file) ?? []) {
      if (!order.has(to)) visit(to);
      if (path.includes(to)) lowest.set(file, Math.min(lowest.get(file)!, lowest.get(to)!));
    }
    if (lowest.get(file) !== order.get(file)) return;
    const circle = path.splice(path.indexOf(file));
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
