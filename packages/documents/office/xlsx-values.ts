const dayMilliseconds = 86_400_000;
/** Excel's day 0 for dates from March 1900 on: before them, Excel counts a 29 February that never was. */
const epoch1900 = Date.UTC(1899, 11, 30);
const epoch1904 = Date.UTC(1904, 0, 1);

/** Excel's own limit. */
const formatCodeCharacters = 255;

export type NumberFormat = 'general' | 'percent' | 'date';

function isBuiltInDate(id: number): boolean {
  return (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58);
}

/** What a number format shows. `code` is given for formats that the workbook defines. */
export function numberFormat(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return isBuiltInDate(id) ? 'date' : id === 9 || id === 10 ? 'percent' : 'general';
  const bare = code
    .slice(0, formatCodeCharacters)
    .replace(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '');
  if (/[ymdhs]/i.test(bare) && !/general/i.test(bare)) return 'date';
  return bare.includes('%') ? 'percent' : 'general';
}

function plainNumber(value: number): string {
  // Excel shows 15 significant digits: 0.30000000000000004 is 0.3.
  return String(Number(value.toPrecision(15)));
}

function dateText(serial: number, from1904: boolean): string | undefined {
  const milliseconds = Math.round(serial * dayMilliseconds);
  const date = new Date((from1904 ? epoch1904 : epoch1900) + milliseconds);
  if (Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999) return undefined;
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string];
  if (milliseconds % dayMilliseconds === 0) return day;
  return serial < 1 ? time : `${day} ${time}`;
}

export function numberText(raw: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return raw;
  if (format === 'date' && value >= 0) return dateText(value, from1904) ?? plainNumber(value);
  return format === 'percent' ? `${plainNumber(value * 100)}%` : plainNumber(value);
}

/** The column's index, from 0, in a reference such as `AB12`; -1 if there is none. */
export function columnIndex(reference: string): number {
  let index = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(reference)?.[0] ?? '')
    index = index * 26 + letter.charCodeAt(0) - 64;
  return index - 1;
}
