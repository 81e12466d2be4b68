/** What Node has of a proposal that TypeScript does not know: numbers that are written again as they were read. */
interface ExactJson {
  parse(
    text: string,
    revive: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { rawJSON: string };
}
const json = JSON as unknown as ExactJson;

/** Numbers that a double may not hold: with more digits than it keeps, or an exponent of three. Text may look like one. */
const longNumber = /\d[\d.]{15}|\d[eE][+-]?\d{3}/;

/**
 * JSON.parse for what is written again: a number inside that would have another value then is kept as it is written. Throws a
 * SyntaxError.
 */
export function parseExactJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text);
  return asNumber(json.parse(text, (_, value, { source }) => exactly(value, source)));
}

/** The number of a value that is kept as it is written. */
export const asNumber = (value: unknown): unknown => (json.isRawJSON(value) ? Number(value.rawJSON) : value);

const exactly = (value: unknown, source: string | undefined): unknown =>
  typeof value === 'number' && source !== undefined && isChanged(value, source)
    ? json.rawJSON(source)
    : value;

/** The digits of a number with their place: those of 1.50e3 and 1500 are the same. */
function placed(written: string): string {
  const [, whole = '', part = '', exponent = '0'] = /^-?(\d+)\.?(\d*)(?:e(.*))?$/i.exec(written) ?? [];
  const digits = (whole + part).replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  return kept === '' ? '0' : `${kept}e${Number(exponent) - part.length + digits.length - kept.length}`;
}

const isChanged = (value: number, source: string): boolean =>
  !Number.isFinite(value) || placed(String(value)) !== placed(source);
