import * as v from 'valibot';
import { limits } from '../../limits.ts';
import type { HeaderName } from './response-headers.ts';

/** A body of one media type. The example is valid against its schema. */
export interface RouteContent {
  schema: v.GenericSchema;
  example: unknown;
}

export interface ParameterDescription {
  description: string;
  schema: v.GenericSchema;
  example?: unknown;
  required?: true;
}

export interface ResponseDescription {
  /** Its name in the document, where several operations have it. */
  name?: string;
  description: string;
  content?: Record<string, RouteContent>;
  /** Headers that it has beside those of every answer. */
  headers?: readonly HeaderName[];
  /** Headers that it may have. */
  optionalHeaders?: readonly HeaderName[];
}

/** Names a schema: the document has it once, and generated types have this name. Two schemas may not share one. */
export const named = <S extends v.GenericSchema>(name: string, schema: S): S =>
  v.pipe(schema, v.metadata({ title: name })) as unknown as S;

export const jsonContent = (schema: v.GenericSchema, example: unknown) => ({
  'application/json': { schema, example },
});

export const textContent = (example: string) => ({ 'text/plain': { schema: v.string(), example } });

export const jsonAnswer = (
  description: string,
  schema: v.GenericSchema,
  example: unknown,
): ResponseDescription & { content: Record<string, RouteContent> } => ({
  description,
  content: jsonContent(schema, example),
});

export const textAnswer = (description: string, example: string): ResponseDescription => ({
  description,
  content: textContent(example),
});

/** Answers that may have these headers beside their own. */
export const mayHave = (
  names: readonly HeaderName[],
  responses: Record<number, ResponseDescription>,
): Record<number, ResponseDescription> =>
  Object.fromEntries(
    Object.entries(responses).map(([status, { name: _, optionalHeaders = [], ...response }]) => [
      status,
      { ...response, optionalHeaders: [...optionalHeaders, ...names] },
    ]),
  );

/** A parameter that is text, of at most `most` characters. */
export const textParameter = (
  description: string,
  example?: string,
  most: number = limits.parameterCharacters,
): ParameterDescription => ({
  description,
  schema: v.pipe(v.string(), v.maxLength(most)),
  example,
});

/** A parameter that is a whole number. */
export const numberParameter = (
  description: string,
  { minimum, maximum, fallback }: { minimum: number; maximum?: number; fallback?: number },
): ParameterDescription => ({
  description,
  schema: v.optional(
    v.pipe(v.number(), v.integer(), v.minValue(minimum), v.maxValue(maximum ?? Number.MAX_SAFE_INTEGER)),
    fallback,
  ),
  example: fallback ?? minimum,
});
