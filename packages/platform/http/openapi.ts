import { describeRoute as describe, resolver } from 'hono-openapi';
import * as v from 'valibot';

interface RouteDescription {
  summary: string;
  tag: 'agents' | 'skills' | 'decisions' | 'chat' | 'account' | 'service';
  /** Whether the route needs no key. */
  public?: boolean;
  body?:
    | { schema: v.GenericSchema; contentType?: string }
    | { contentTypes: Record<string, v.GenericSchema | 'text'> };
  headers?: Record<string, string>;
  query?: Record<string, string>;
  responses: Record<number, ResponseDescription>;
}

interface ResponseDescription {
  description: string;
  /** Content type -> schema, or `text` where the body is not JSON. */
  content?: Record<string, v.GenericSchema | 'text'>;
}

type Contents = Record<string, v.GenericSchema | 'text'>;

const textSchema = { schema: { type: 'string' as const } };

const toContent = (content: Contents) =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [
      type,
      schema === 'text' ? textSchema : { schema: resolver(schema) },
    ]),
  );

const parameters = (place: 'header' | 'query', names: Record<string, string> = {}) =>
  Object.entries(names).map(([name, description]) => ({
    name,
    in: place,
    required: false,
    description,
    schema: { type: 'string' as const },
  }));

const unavailable: ResponseDescription = {
  description: 'A store fails or does not answer; retry',
  content: { 'application/json': v.object({ error: v.string() }) },
};

/** Describes a route in `GET /openapi.json`, from the same schemas that validate it. */
export function describeRoute(route: RouteDescription) {
  const contents: Contents | undefined =
    route.body &&
    ('schema' in route.body
      ? { [route.body.contentType ?? 'application/json']: route.body.schema }
      : route.body.contentTypes);
  return describe({
    summary: route.summary,
    tags: [route.tag],
    security: route.public ? [] : [{ key: [] }],
    parameters: [...parameters('header', route.headers), ...parameters('query', route.query)],
    ...(contents && { requestBody: { required: true, content: toContent(contents) as never } }),
    responses: Object.fromEntries(
      Object.entries({ ...(route.tag !== 'service' && { 503: unavailable }), ...route.responses }).map(
        ([status, { description, content }]) => [
          status,
          { description, ...(content && { content: toContent(content) as never }) },
        ],
      ),
    ),
  });
}
