import * as v from 'valibot';

/** An upper bound of a provider's results, far above what a search asks for. */
const entriesRead = 50;

/** The beginning of a provider's list without the entries that cannot be read. A list with only such entries is refused. */
export const resultList = <const Entry extends v.GenericSchema>(entry: Entry) =>
  v.pipe(
    v.custom<unknown[]>(Array.isArray, 'is no list'),
    v.transform((entries) => entries.slice(0, entriesRead)),
    v.array(v.fallback(v.nullable(entry), null)),
    v.check((entries) => entries.length === 0 || entries.some((one) => one !== null), 'no entry can be read'),
    v.transform((entries) => entries.filter((one) => one !== null)),
  );
