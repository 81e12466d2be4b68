/** A program on the client's package. `body` uses `errand`. */
export const typescriptOf = (origin: string, ...body: string[]): string =>
  [
    `import { env } from 'node:process';`,
    `import { createErrand } from '@errand/client';`,
    '',
    `const errand = createErrand({ baseUrl: ${literal(origin)}, apiKey: env.ERRAND_API_KEY! });`,
    '',
    ...body,
  ].join('\n');

/** A JSON value as TypeScript writes it, indented to stand in a line with that indentation. */
export function literal(value: unknown, indent = ''): string {
  const inner = `${indent}  `;
  if (typeof value === 'string') return string(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, inner));
    return fits(items) ? `[${items.join(', ')}]` : block('[', items, ']', indent);
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  const fields = Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([name, each]) => `${property(name)}: ${literal(each, inner)}`);
  if (fields.length === 0) return '{}';
  return fits(fields) ? `{ ${fields.join(', ')} }` : block('{', fields, '}', indent);
}

const lineCharacters = 72;

const fits = (parts: readonly string[]): boolean =>
  parts.join(', ').length <= lineCharacters && !parts.some((part) => part.includes('\n'));

const block = (open: string, parts: readonly string[], close: string, indent: string): string =>
  `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`;

const string = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

/** Written plainly, `__proto__` would be no property. */
function property(name: string): string {
  if (name === '__proto__') return `['__proto__']`;
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : string(name);
}
