import { described } from '@errand/platform';
import * as v from 'valibot';

export const text = (description: string) => described(description, v.nullish(v.string()));
export const number = (description: string) => described(description, v.nullish(v.number()));
export const flag = (description: string) => described(description, v.nullish(v.boolean()));
export const integer = (description: string, minimum: number) =>
  described(description, v.nullish(v.pipe(v.number(), v.integer(), v.minValue(minimum))));
export const fields = (description: string) => described(description, v.nullish(v.looseObject({})));
export const list = <S extends v.GenericSchema>(description: string, schema: S) =>
  described(description, v.nullish(v.array(schema)));
