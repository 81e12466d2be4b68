import type { DecisionCreateParams } from 'openai/resources/decisions';
import type { Request } from './request.ts';

/** Compiles while whatever OpenAI's client may send is a request of the document. */
export const fromOpenAi = (sent: DecisionCreateParams): Request => sent;

/** The paths of the fields of a type, apart from those of any name. */
type Fields<T> = T extends readonly (infer Entry)[]
  ? Fields<Entry>
  : T extends object
    ? { [K in keyof T & string]-?: string extends K ? never : K | `${K}.${Fields<T[K]>}` }[keyof T & string]
    : never;

type Missing = Exclude<Fields<DecisionCreateParams>, Fields<Request>>;

/** Compiles while the document has every field of OpenAI's requests. */
export const nothingIsMissing: [Missing] extends [never] ? true : Missing = true;
