import type { TraceContext } from './trace-context.ts';

/** A piece of work that is over. Attributes have ids, counts and codes, and texts of callers only if the operator wants them. */
export interface Span extends TraceContext {
  parentSpanId: string | undefined;
  name: string;
  /** `client`: another service did the work. */
  kind: 'internal' | 'client';
  startMilliseconds: number;
  endMilliseconds: number;
  attributes: Readonly<Record<string, Attribute | undefined>>;
  /** The class of the error in which the work ended. */
  errorType?: string | undefined;
}

type Attribute = string | number | readonly string[];

/**
 * The JSON of an `ExportTraceServiceRequest` (opentelemetry-proto 1.x): ids are hex, 64-bit integers are decimal texts, enums are
 * numbers, and names are in lowerCamelCase.
 */
export const writeSpans = (spans: readonly Span[], namespace: string): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: attributesOf({ 'service.name': 'errand', 'service.namespace': namespace }) },
        scopeSpans: [{ scope: { name: 'errand' }, spans: spans.map(writeSpan), schemaUrl }],
      },
    ],
  });

/** The version of the semantic conventions that names and attributes of spans follow. */
const schemaUrl = 'https://opentelemetry.io/schemas/1.41.0';

const kinds = { internal: 1, client: 3 };
const failed = { code: 2 };

const writeSpan = ({ startMilliseconds, endMilliseconds, attributes, errorType, ...span }: Span) => ({
  ...span,
  kind: kinds[span.kind],
  startTimeUnixNano: toNano(startMilliseconds),
  endTimeUnixNano: toNano(Math.max(startMilliseconds, endMilliseconds)),
  attributes: attributesOf({ ...attributes, 'error.type': errorType }),
  ...(errorType !== undefined && { status: failed }),
});

const toNano = (milliseconds: number): string => `${Math.round(milliseconds)}000000`;

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toAnyValue(value) }],
  );

function toAnyValue(value: Attribute): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value !== 'number') return { arrayValue: { values: value.map(toAnyValue) } };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
