import { about } from './about.ts';
import { createComponents } from './components.ts';
import type { PlacedOperation } from './describe-app.ts';
import { writeOperation } from './write-operation.ts';

/** The OpenAPI 3.1 document of operations. */
export function writeDocument(operations: readonly PlacedOperation[]): object {
  const components = createComponents();
  const paths: Record<string, Record<string, object>> = {};
  for (const { method, path, operation } of operations) {
    const route = toTemplate(path);
    paths[route] = { ...paths[route], [method.toLowerCase()]: writeOperation(components, route, operation) };
  }
  return {
    ...about,
    paths,
    components: { securitySchemes: about.components.securitySchemes, ...components.written() },
  };
}

/** `/v1/pricing/:model{.+}` is `/v1/pricing/{model}` in the document. */
const toTemplate = (path: string): string => path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');
