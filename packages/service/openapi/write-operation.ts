import {
  everyAnswer,
  failures,
  type HeaderName,
  keyRefusals,
  type Operation,
  type ParameterDescription,
  type ResponseDescription,
  type RouteContent,
  rateAnswer,
  slowBody,
} from '@errand/platform';
import { type Components, writeHeader } from './components.ts';
import { toSchema } from './json-schema.ts';

const security = {
  key: [{ key: [] }, { apiKey: [] }],
  keyOptional: [{}, { key: [] }, { apiKey: [] }],
  public: [],
};

/** Throws if a parameter of the path is not described. */
export function writeOperation(components: Components, path: string, operation: Operation): object {
  const { operationId, summary, description, tag, access = 'key', body } = operation;
  const parameters = writeParameters(components, path, operation);
  return {
    operationId,
    summary,
    description,
    tags: [tag],
    security: security[access],
    ...(parameters.length > 0 && { parameters }),
    requestBody: body && { required: true, content: writeContent(components, body) },
    responses: writeResponses(components, operation),
  };
}

function writeResponses(components: Components, operation: Operation): object {
  const { tag, access = 'key', body, everyAnswer: own = [] } = operation;
  const shared = {
    ...(body && slowBody),
    ...(tag !== 'service' && failures),
    ...(access !== 'public' && keyRefusals),
  };
  return Object.fromEntries(
    Object.entries({ ...shared, ...operation.responses }).map(([status, { name, ...response }]) => {
      const rate = hasRate(access, Number(status)) ? rateAnswer : [];
      const written = writeResponse(components, response, [...everyAnswer, ...own, ...rate]);
      const isShared = name !== undefined && own.length === 0;
      return [status, isShared ? components.response(name, written) : written];
    }),
  );
}

/** Whether an answer has the headers of the rate: callers who are let in get them, unless the request fails before the rate is known. */
const hasRate = (access: keyof typeof security, status: number): boolean =>
  status < 500 && (access === 'key' ? status !== 401 : access === 'keyOptional' && status === 429);

function writeResponse(
  components: Components,
  response: ResponseDescription,
  always: readonly HeaderName[],
): object {
  const { description, content, headers = [], optionalHeaders = [] } = response;
  const required = [...always, ...headers];
  return {
    description,
    headers: Object.fromEntries([
      ...required.map((header) => [header, components.header(header)]),
      // Generated types would declare a header that is a `$ref` as always present.
      ...optionalHeaders.map((header) => [header, writeHeader(header, false)]),
    ]),
    content: content && writeContent(components, content),
  };
}

const writeContent = (components: Components, content: Record<string, RouteContent>) =>
  Object.fromEntries(
    Object.entries(content).map(([type, { schema, example }]) => [
      type,
      { schema: components.refer(toSchema(schema)), example },
    ]),
  );

function writeParameters(components: Components, path: string, operation: Operation): object[] {
  const write = (place: string, described: Record<string, ParameterDescription> = {}) =>
    Object.entries(described).map(([name, { description, schema, example, required }]) => ({
      name,
      in: place,
      ...((required || place === 'path') && { required: true }),
      description,
      schema: components.refer(toSchema(schema)),
      example,
    }));
  const missing = [...path.matchAll(/\{(\w+)\}/g)].find(([, name = '']) => !operation.path?.[name]);
  if (missing) throw new Error(`${operation.operationId} does not describe ${missing[0]}`);
  return [
    ...write('path', operation.path),
    ...write('query', operation.query),
    ...write('header', operation.headers),
  ];
}
