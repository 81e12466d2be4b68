import { createParser } from 'eventsource-parser';
import {
  type DescribedApp,
  type DescribedHeader,
  type DescribedOperation,
  type DescribedResponse,
  deref,
  type MediaType,
  type OpenApiDocument,
} from '../openapi-document.ts';
import { compileSchemas, type Validate } from './compile-schemas.ts';
import type { Exchange } from './watch-answers.ts';

/** What an exchange has that the document does not say. Undefined if there is nothing. */
export type CheckExchange = (exchange: Exchange) => Promise<string | undefined>;

interface Described {
  document: OpenApiDocument;
  validate: Validate;
}

/** Checks exchanges by the document: what was answered, and the body of a request that was accepted. */
export function createExchangeCheck(app: DescribedApp): CheckExchange {
  const described = { document: app.document, validate: compileSchemas(app.document) };
  const find = createFinder(app);
  return async (exchange) => {
    const operation = find(exchange);
    if (!operation) return unroutedProblem(exchange);
    const problem =
      answerProblem(described, operation, exchange) ?? (await requestProblem(described, operation, exchange));
    return problem && `${operation.operationId} ${exchange.status}: ${problem}`;
  };
}

function createFinder({ routes, document }: DescribedApp) {
  const known = routes.map(({ method, path }) => ({
    method,
    isConcrete: !path.includes(':'),
    matches: new RegExp(
      `^${path.replace(/:\w+(?:\{([^}]*)\})?/g, (_, pattern = '[^/]+') => `(?:${pattern})`)}$`,
    ),
    operation: document.paths[path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')]?.[method.toLowerCase()],
  }));
  return ({ method, url }: Exchange): DescribedOperation | undefined => {
    const asked = method === 'HEAD' ? 'GET' : method;
    // The list of models is there with a slash at its end too, and the document has it once.
    const path = (URL.parse(url, 'http://service')?.pathname ?? '').replace(/^\/v1\/models\/$/, '/v1/models');
    const matching = known.filter(({ matches }) => matches.test(path));
    const concrete = matching.filter(({ isConcrete }) => isConcrete);
    // OpenAPI has a concrete path come before a templated one, whatever their methods.
    return (concrete.length > 0 ? concrete : matching).find(({ method }) => method === asked)?.operation;
  };
}

/** The usual envelope, and that of messages. */
const isNothing = (body = ''): boolean =>
  body === '{"error":"Not found"}' ||
  body.startsWith('{"type":"error","error":{"type":"not_found_error","message":"Not found"},');

/** No route takes the path or the method, which the document says in words. */
function unroutedProblem({ method, url, status, headers, body }: Exchange): string | undefined {
  if (method === 'OPTIONS' && status === 204) return undefined;
  if (status === 404 && (method === 'HEAD' || isNothing(body?.toString()))) return undefined;
  if (status === 404 && body?.includes('"code":"unknown_url"')) return undefined;
  if (status === 405 && headers.allow) return undefined;
  if (status === 429 || status === 503) return undefined;
  return `${method} ${url} is not described, and was answered ${status}`;
}

function answerProblem(
  described: Described,
  { responses }: DescribedOperation,
  { status, method, headers, body, complete }: Exchange,
): string | undefined {
  const response = responses[status];
  if (!response) return complete ? `the status is not described: ${body?.subarray(0, 200)}` : undefined;
  const { headers: known = {}, content } = deref<DescribedResponse>(described.document, response);
  for (const [name, reference] of Object.entries(known)) {
    const value = headers[name.toLowerCase()];
    const { required, schema } = deref<DescribedHeader>(described.document, reference);
    if (value === undefined && required) return `the header ${name} is missing`;
    if (value === undefined) continue;
    const typed = schema.type === 'integer' && value !== '' ? Number(value) : value;
    if (described.validate(schema, typed)) return `the header ${name} is ${value}`;
  }
  if (method === 'HEAD' || !complete || !body) return undefined;
  if (body.length === 0) return content ? 'the body is missing' : undefined;
  const type = mediaType(headers['content-type']);
  const media = content?.[type];
  if (!media) return `a body of the type ${type} is not described`;
  return bodyProblem(described.validate, type, media, body.toString());
}

const mediaType = (header = ''): string => header.split(';')[0]?.trim().toLowerCase() ?? '';

function bodyProblem(
  validate: Validate,
  type: string,
  { schema }: MediaType,
  text: string,
): string | undefined {
  if (type === 'application/json') return jsonProblem(validate, schema, text);
  if (type !== 'text/event-stream') return validate(schema, text)?.[0];
  const problems: (string | undefined)[] = [];
  const parser = createParser({
    onEvent: ({ data }) => void (data === '[DONE]' || problems.push(jsonProblem(validate, schema, data))),
  });
  parser.feed(text);
  return problems.find((problem) => problem !== undefined);
}

function jsonProblem(validate: Validate, schema: object, text: string): string | undefined {
  try {
    const problem = validate(schema, JSON.parse(text))?.[0];
    return problem && `${problem}: ${text.slice(0, 300)}`;
  } catch (error) {
    return `${(error as Error).message}: ${text.slice(0, 100)}`;
  }
}

/** A request that was accepted must be one that the document allows. */
async function requestProblem(
  { validate }: Described,
  { requestBody }: DescribedOperation,
  { status, requestType, requestBody: body }: Exchange,
): Promise<string | undefined> {
  if (status >= 300 || !requestBody || !body) return undefined;
  const isForm = mediaType(requestType) === 'multipart/form-data';
  const isText = mediaType(requestType) === 'text/markdown';
  const media = requestBody.content[isForm ? 'multipart/form-data' : 'application/json'];
  if (isText || !media) return undefined;
  const problem = isForm
    ? await formProblem(validate, media.schema, body, requestType)
    : jsonProblem(validate, media.schema, body.toString());
  return problem && `the request was accepted, but ${problem}`;
}

/** Looks at the fields of a form. Its files count as texts. */
async function formProblem(
  validate: Validate,
  schema: object,
  body: Buffer,
  type = '',
): Promise<string | undefined> {
  const form = await new Response(new Uint8Array(body), { headers: { 'Content-Type': type } })
    .formData()
    // Node's own reader takes fewer forms than the service.
    .catch(() => undefined);
  if (!form) return undefined;
  const fields = [...form].map(([name, value]) => [name, typeof value === 'string' ? value : '']);
  return validate(schema, Object.fromEntries(fields))?.[0];
}
