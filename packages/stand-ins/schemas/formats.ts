interface Format {
  example: string;
  form: RegExp;
}

const day = String.raw`\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const clock = String.raw`(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)`;
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const host = String.raw`(?=.{1,253}$)${label}(?:\.${label}){0,126}`;

/** The formats that are made and judged. Any other binds nothing. */
const formats: Record<string, Format> = {
  date: { example: '2000-01-01', form: new RegExp(`^${day}$`) },
  time: { example: '12:00:00Z', form: new RegExp(`^${clock}$`) },
  'date-time': { example: '2000-01-01T12:00:00Z', form: new RegExp(`^${day}[Tt]${clock}$`) },
  duration: {
    example: 'P1D',
    form: /^P(?!$)(?:\d{1,9}W|(?:\d{1,9}Y)?(?:\d{1,9}M)?(?:\d{1,9}D)?(?:T(?=\d)(?:\d{1,9}H)?(?:\d{1,9}M)?(?:\d{1,9}S)?)?)$/,
  },
  email: {
    example: 'stand-in@example.com',
    form: new RegExp(String.raw`^[\w!#$%&'*+/=?^{|}~.-]{1,64}@${host}$`),
  },
  hostname: { example: 'stand-in.example.com', form: new RegExp(`^${host}$`) },
  ipv4: { example: '192.0.2.1', form: /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/ },
  ipv6: { example: '2001:db8::1', form: /^(?=.{2,45}$)[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}$/ },
  uri: { example: 'https://example.com/stand-in', form: /^[A-Za-z][A-Za-z0-9+.-]*:[^\s<>"{}|\\^`]+$/ },
  uuid: {
    example: '00000000-0000-4000-8000-000000000000',
    form: /^[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}$/,
  },
};

const formatOf = (name: unknown): Format | undefined =>
  typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined;

/** A text of the format, or undefined for one that is not known here. */
export const exampleOf = (format: unknown): string | undefined => formatOf(format)?.example;

export const fitsFormat = (format: unknown, text: string): boolean =>
  formatOf(format)?.form.test(text) ?? true;
