import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import ajvFormats from 'ajv-formats';
import type { OpenApiDocument } from '../openapi-document.ts';

/** The problems of a value by a schema of the document. Undefined for a valid one. */
export type Validate = (schema: object, value: unknown) => string[] | undefined;

const root = 'errand:/openapi.json';

/** Validates by the document's schemas. Each is compiled when it is used for the first time. */
export function compileSchemas({ components }: OpenApiDocument): Validate {
  const ajv = new Ajv2020({ strict: true, allErrors: false, discriminator: false, keywords });
  ajvFormats.default(ajv);
  ajv.addSchema({ $id: root, components });
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema, value) => {
    let check = compiled.get(schema);
    if (!check) {
      check = ajv.compile(withRoot(schema) as object);
      compiled.set(schema, check);
    }
    if (check(value)) return undefined;
    return (check.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || 'the body'} ${message}`,
    );
  };
}

/** Words of OpenAPI that say nothing about a value. */
const keywords = ['components', 'discriminator', 'example'];

/** The schema with references that begin at the document. */
const withRoot = (schema: unknown): unknown =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', `"$ref":"${root}#/`));
