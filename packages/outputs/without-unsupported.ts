import type { OrderedJson } from '@errand/platform';
import type { SchemaText } from './problems.ts';

/** The value with null at these pointers, where the schema allows it. The value fits the schema before and after. */
export async function withoutUnsupported(
  _schema: SchemaText,
  _value: OrderedJson,
  _pointers: readonly string[],
  _options: { signal: AbortSignal; owner?: string },
): Promise<OrderedJson> {
  throw new Error('not built');
}
