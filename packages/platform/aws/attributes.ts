import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Item = Record<string, unknown>;

/** As JSON has it: bytes are base64. */
export type Attributes = Record<string, AttributeValue>;

/** An object takes what is assigned to this name for its prototype. */
const proto = '__proto__';

/** An item as DynamoDB takes it. What is undefined is left out. Throws for a value that DynamoDB cannot keep as it is. */
export function toAttributes(item: Item): Attributes {
  const attributes: Attributes = {};
  for (const name in item) {
    const value = item[name];
    if (name === proto) throw new TypeError(`an attribute named ${proto}`);
    if (value !== undefined) attributes[name] = toAttribute(value);
  }
  return attributes;
}

function toAttribute(value: unknown): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: value };
    case 'number':
      return { N: numberText(value) };
    case 'bigint':
      return { N: String(value) };
    case 'boolean':
      return { BOOL: value };
    case 'object':
      return value === null ? { NULL: true } : toCollection(value);
    default:
      throw new TypeError(`an attribute that is a ${typeof value}`);
  }
}

function toCollection(value: object): AttributeValue {
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(toAttribute) };
  if (value instanceof Uint8Array) return { B: toBytes(value) };
  if (value instanceof Set) return toSet([...value]);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null)
    throw new TypeError(`an attribute that is a ${prototype.constructor.name}`);
  return { M: toAttributes(value as Item) };
}

function toSet(values: unknown[]): AttributeValue {
  const [first] = values;
  if (first !== undefined && values.every((one) => typeof one === typeof first)) {
    if (typeof first === 'string') return { SS: values as string[] };
    if (typeof first === 'number') return { NS: (values as number[]).map(numberText) };
  }
  throw new TypeError('an attribute that is a set of neither texts nor numbers');
}

function numberText(value: number): string {
  if (Number.isFinite(value) && Math.abs(value) <= Number.MAX_SAFE_INTEGER) return String(value);
  throw new RangeError(`an attribute that is no exact number: ${value}`);
}

const toBytes = ({ buffer, byteOffset, byteLength }: Uint8Array): Uint8Array =>
  // JSON would have a Buffer's own form of it.
  Object.assign(Buffer.from(buffer, byteOffset, byteLength), { toJSON: base64 });

function base64(this: Buffer): string {
  return this.toString('base64');
}

/**
 * The item whose attributes an answer of DynamoDB has. It is made in their place: the embedded one sends those of each item in another
 * order, and to make a second object of each order takes more CPU than all else here.
 */
export function fromAttributes(attributes: Attributes): Item {
  const item: Item = attributes;
  for (const name in attributes)
    if (name === proto) delete item[name];
    else item[name] = fromAttribute(attributes[name]!);
  return item;
}

function fromAttribute(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return toNumber(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.M) return fromAttributes(value.M);
  if (value.L) return value.L.map(fromAttribute);
  if (value.NULL) return null;
  if (value.SS) return new Set(value.SS);
  if (value.NS) return new Set(value.NS.map(toNumber));
  if (value.B !== undefined) return fromBytes(value.B);
  throw new TypeError(`an attribute of an unknown type: ${Object.keys(value)}`);
}

/** A whole number that a `number` cannot be exactly is a `bigint`. */
function toNumber(text: string): number | bigint {
  const number = Number(text);
  return Math.abs(number) > Number.MAX_SAFE_INTEGER ? BigInt(text) : number;
}

/** In what the SDK has read, such as an error, they are bytes already. */
function fromBytes(value: Uint8Array | string): Uint8Array {
  if (typeof value !== 'string') return value;
  const { buffer, byteOffset, byteLength } = Buffer.from(value, 'base64');
  return new Uint8Array(buffer, byteOffset, byteLength);
}
