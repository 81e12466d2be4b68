import { type OrderedJson, ThreadError } from '@errand/platform';
import { stepsOf, valueAt } from './pointers.ts';
import { type Checking, check, type SchemaText } from './problems.ts';
import { allowsNull, itemNodes, propertyNodes, type Shape, shapeOf } from './shape.ts';

/** Each restores something; alternatives may need more than one. */
const mostChecks = 4;

/** The value with null at these pointers, where the schema allows it, and where that is. The value fits the schema before and after. */
export async function withoutUnsupported(
  schema: SchemaText,
  value: OrderedJson,
  pointers: readonly string[],
  checking: Checking,
): Promise<{ value: OrderedJson; nulled: ReadonlySet<string> }> {
  const shape = shapeOf(schema);
  let nulled = new Set(pointers.filter((pointer) => mayBeNull(shape, value, stepsOf(pointer))));
  for (let checks = 0; checks < mostChecks && nulled.size > 0; checks++) {
    const without = nullAt(value, nulled);
    const places = await wrongPlaces(schema, without, checking);
    if (places === undefined) break;
    if (places.length === 0) return { value: without, nulled };
    nulled = withoutWrong(nulled, new Set(places));
  }
  return { value, nulled: new Set() };
}

/** Whether something stands at these steps, and the schemas that are about it let it be null. */
function mayBeNull(shape: Shape, value: OrderedJson, steps: readonly string[]): boolean {
  let at: OrderedJson | undefined = value;
  let nodes = shape.root;
  for (const step of steps) {
    const near = shape.nearest(nodes, at);
    nodes = Array.isArray(at) ? itemNodes(near) : propertyNodes(near, step);
    at = valueAt(at, [step]);
    if (at === undefined) return false;
  }
  return shape.alternatives(nodes).some(allowsNull);
}

/** Undefined if that could not be checked. */
async function wrongPlaces(
  schema: SchemaText,
  value: OrderedJson,
  checking: Checking,
): Promise<readonly string[] | undefined> {
  try {
    const { problems, places } = await check(schema, value, checking);
    return problems.length === 0 ? [] : places;
  } catch (error) {
    if (!(error instanceof ThreadError)) throw error;
    return undefined;
  }
}

/** Those that are not wrong themselves. Where none is, those in the smallest part that is wrong stay as they were. */
function withoutWrong(nulled: ReadonlySet<string>, places: ReadonlySet<string>): Set<string> {
  const right = new Set([...nulled].filter((pointer) => !places.has(pointer)));
  if (right.size < nulled.size) return right;
  return new Set([...nulled].filter((pointer) => !holders(pointer).some((each) => places.has(each))));
}

/** The pointers of what a pointer's place is in, the root apart. */
function holders(pointer: string): string[] {
  const held: string[] = [];
  for (let at = pointer.lastIndexOf('/'); at > 0; at = pointer.lastIndexOf('/', at - 1))
    held.push(pointer.slice(0, at));
  return held;
}

function nullAt(value: OrderedJson, pointers: ReadonlySet<string>): OrderedJson {
  const copy = structuredClone(value);
  for (const pointer of pointers) {
    const steps = stepsOf(pointer);
    const last = steps.pop();
    const holder = valueAt(copy, steps);
    if (last === undefined) return null;
    if (holder instanceof Map) holder.set(last, null);
    else if (Array.isArray(holder)) holder[Number(last)] = null;
  }
  return copy;
}
