import { type OrderedJson, parseOrderedJson } from '@errand/platform';
import type { Report } from '../report.ts';

/** The value at a place such as `input[0].content[1].data`, with the keys of its objects in the order sent. */
export type Ordered = (place: string) => OrderedJson | undefined;

/**
 * Parses the body in the order of its keys when a value is first asked for: only JSON that callers give as such has an order
 * that counts, and few requests have any. What such a parser refuses is reported once.
 */
export function orderedValues(body: string, report: Report): Ordered {
  let root: OrderedJson | undefined;
  return (place) => {
    if (root === undefined) {
      const { value, issue } = parseOrderedJson(body);
      root = value;
      if (issue) report(issue.field, issue.problem);
    }
    let found: OrderedJson | undefined = root;
    for (const [segment] of place.matchAll(/[^.[\]]+/g))
      found =
        found instanceof Map ? found.get(segment) : (found as OrderedJson[] | undefined)?.[Number(segment)];
    return found;
  };
}
