interface Format {
  fits(text: string): boolean;
  /** The n-th text of this format; a small n gives the most telling one. */
  make(n: number): string;
}

const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
const numbered = (n: number): string => (n === 1 ? 'stand-in' : `stand-in-${n}`);
const hex = (n: number): string => n.toString(16);

const isDay = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);
const time = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)$/i;
const uri = /^[a-z][a-z\d+.-]*:[^\s"<>\\^`{|}]+$/i;
const hostname = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i;
const email = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d-]+(?:\.[a-z\d-]+)+$/i;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;
const ipv6 = /^(?:[\da-f]{1,4}:){7}[\da-f]{1,4}$|^(?:[\da-f]{1,4}:){1,6}:[\da-f]{1,4}$/i;
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const duration = /^P(?=\d|T\d)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;

const format = (pattern: RegExp, make: Format['make']): Format => ({
  fits: (text) => pattern.test(text),
  make,
});

/** The formats that are known by name. Any other is a remark that binds nobody. */
export const formats: Readonly<Record<string, Format>> = {
  date: { fits: isDay, make: (n) => day(n).slice(0, 10) },
  'date-time': {
    fits: (text) => /^.{10}[t ]/i.test(text) && isDay(text.slice(0, 10)) && time.test(text.slice(11)),
    make: (n) => day(n).replace('.000', ''),
  },
  time: format(time, (n) => `00:00:${String(n % 60).padStart(2, '0')}Z`),
  duration: format(duration, (n) => `PT${n}S`),
  email: format(email, (n) => (n % 2 === 1 ? `${numbered(n)}@example.com` : `s${n}@x.io`)),
  hostname: format(hostname, (n) => `${numbered(n)}.example.com`),
  uri: format(uri, (n) => `https://example.com/${numbered(n)}`),
  'uri-reference': format(/^[^\s"<>\\^`{|}]*$/, (n) => `/${numbered(n)}`),
  url: format(uri, (n) => `https://example.com/${numbered(n)}`),
  uuid: format(uuid, (n) => `00000000-0000-4000-8000-${hex(n).padStart(12, '0')}`),
  ipv4: format(ipv4, (n) => `192.0.2.${n}`),
  ipv6: format(ipv6, (n) => `2001:db8::${hex(n)}`),
};
