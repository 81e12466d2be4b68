/** A JSON Schema whose root is an object. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
}

interface Validated<Output> {
  readonly value?: Output;
  readonly issues?:
    | readonly { readonly message: string; readonly path?: readonly unknown[] | undefined }[]
    | undefined;
}

/** What zod, arktype, and valibot with `toStandardJsonSchema`, make: https://standardschema.dev/json-schema */
export interface StandardJsonSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    readonly jsonSchema: {
      input(options: { target: 'draft-2020-12' }): Record<string, unknown>;
      output(options: { target: 'draft-2020-12' }): Record<string, unknown>;
    };
    validate?(value: unknown): Validated<Output> | Promise<Validated<Output>>;
  };
}

export type OutputOf<Schema extends StandardJsonSchema> = NonNullable<Schema['~standard']['types']>['output'];

/** The schema of a run's value, and what makes of the value what its caller reads. */
export interface Shape {
  json: Record<string, unknown>;
  /** The value as the library has it, or what it says is wrong with it. */
  read(value: unknown): Promise<{ value: unknown } | { problem: string }>;
}

export function readShape(schema: JsonSchema | StandardJsonSchema): Shape {
  if (!isStandard(schema)) return { json: { ...schema }, read: async (value) => ({ value }) };
  const standard = schema['~standard'];
  return {
    json: jsonOf(standard),
    async read(value) {
      const { issues, value: validated } = (await standard.validate?.(value)) ?? { value };
      return issues ? { problem: wordsOf(issues) } : { value: validated };
    },
  };
}

function isStandard(schema: JsonSchema | StandardJsonSchema): schema is StandardJsonSchema {
  const { '~standard': standard } = schema as Partial<StandardJsonSchema>;
  if (standard === undefined) return false;
  if (standard.jsonSchema !== undefined) return true;
  throw new TypeError(
    `The schema of ${standard.vendor} has no JSON Schema. Valibot's is made by toStandardJsonSchema of @valibot/to-json-schema.`,
  );
}

/** A value that is transformed afterwards has a schema as it goes in alone. */
function jsonOf({ jsonSchema }: StandardJsonSchema['~standard']): Record<string, unknown> {
  const options = { target: 'draft-2020-12' } as const;
  try {
    return jsonSchema.output(options);
  } catch {
    return jsonSchema.input(options);
  }
}

const wordsOf = (issues: NonNullable<Validated<unknown>['issues']>): string =>
  issues
    .map(({ message, path = [] }) => [path.map(keyOf).join('.'), message].filter(Boolean).join(': '))
    .join('; ');

const keyOf = (segment: unknown): string =>
  String(typeof segment === 'object' && segment !== null && 'key' in segment ? segment.key : segment);
