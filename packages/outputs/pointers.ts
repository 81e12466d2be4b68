import type { OrderedJson } from '@errand/platform';

/** A step of a JSON Pointer (RFC 6901). */
export const pointerStep = (key: string | number): string =>
  `/${typeof key === 'number' ? key : key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const stepsOf = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

const indexText = /^(?:0|[1-9]\d{0,8})$/;

/** What stands at these steps; undefined where nothing does. */
export function valueAt(value: OrderedJson, steps: readonly string[]): OrderedJson | undefined {
  let at: OrderedJson | undefined = value;
  for (const step of steps) {
    if (at instanceof Map) at = at.get(step);
    else if (Array.isArray(at) && indexText.test(step)) at = at[Number(step)];
    else return undefined;
  }
  return at;
}
