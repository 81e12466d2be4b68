import * as v from 'valibot';

/** A provider's list without the entries that cannot be read. A list with only such entries is refused. */
export const resultList = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.pipe(
    v.array(v.fallback(v.nullable(entry), null)),
    v.check((entries) => entries.length === 0 || entries.some((one) => one !== null), 'no entry can be read'),
    v.transform((entries) => entries.filter((one) => one !== null)),
  );
