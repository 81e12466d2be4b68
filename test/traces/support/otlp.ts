import * as v from 'valibot';

/*
 * The JSON of opentelemetry-proto's `ExportTraceServiceRequest`, as far as a sender without events and links writes it: trace.proto,
 * common.proto and resource.proto, with the rules of the specification's "JSON Protobuf Encoding". A field that the messages do not
 * have is an error here, though receivers must ignore it.
 */

const hex = (bytes: number) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(`^(?!0+$)[0-9a-fA-F]{${2 * bytes}}$`), `must be ${bytes} bytes as hex`),
  );
const fixed64 = v.pipe(v.string(), v.regex(/^\d{1,20}$/, 'must be a decimal text'));

const textValue = v.strictObject({ stringValue: v.string() });
const value = v.union([
  textValue,
  v.strictObject({ intValue: v.pipe(v.string(), v.regex(/^-?\d{1,19}$/)) }),
  v.strictObject({ doubleValue: v.pipe(v.number(), v.finite()) }),
  v.strictObject({ arrayValue: v.strictObject({ values: v.array(textValue) }) }),
]);

const attributes = v.pipe(
  v.array(v.strictObject({ key: v.pipe(v.string(), v.nonEmpty()), value })),
  v.check((pairs) => new Set(pairs.map(({ key }) => key)).size === pairs.length, 'keys must be unique'),
);

const span = v.pipe(
  v.strictObject({
    traceId: hex(16),
    spanId: hex(8),
    parentSpanId: v.optional(hex(8)),
    name: v.pipe(v.string(), v.nonEmpty()),
    kind: v.picklist([1, 2, 3, 4, 5]),
    startTimeUnixNano: fixed64,
    endTimeUnixNano: fixed64,
    attributes,
    status: v.optional(v.strictObject({ message: v.optional(v.string()), code: v.picklist([0, 1, 2]) })),
  }),
  v.check(
    ({ startTimeUnixNano, endTimeUnixNano }) => BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano),
    'must end after its start',
  ),
);

export const exportRequest = v.strictObject({
  resourceSpans: v.array(
    v.strictObject({
      resource: v.strictObject({ attributes }),
      scopeSpans: v.array(
        v.strictObject({
          scope: v.strictObject({ name: v.string() }),
          spans: v.pipe(v.array(span), v.nonEmpty()),
          schemaUrl: v.optional(v.pipe(v.string(), v.url())),
        }),
      ),
    }),
  ),
});

export type OtlpSpan = v.InferOutput<typeof span>;
