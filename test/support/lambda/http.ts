import type { Invocation } from './runtime-api.ts';
import type { LambdaFunction } from './start-function.ts';

interface Head {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
}

export interface LambdaResponse extends Head {
  /** The body in the pieces that were sent. */
  pieces: AsyncGenerator<Buffer>;
  bytes(): Promise<Buffer>;
  text(): Promise<string>;
  failure: Invocation['failure'];
}

export interface LambdaRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  milliseconds?: number;
}

/** The bytes that the runtime sends between status and headers, which are JSON, and the body. */
const separator = Buffer.alloc(8);

/** A request through a function URL. */
export async function request(
  target: Pick<LambdaFunction, 'invoke'>,
  path: string,
  { method = 'GET', headers = {}, body, milliseconds }: LambdaRequest = {},
): Promise<LambdaResponse> {
  const [rawPath = '', rawQueryString = ''] = path.split('?');
  const { chunks, failure } = target.invoke(
    {
      version: '2.0',
      rawPath,
      rawQueryString,
      headers: { host: 'url.example', ...lowerCase(headers) },
      requestContext: { domainName: 'url.example', http: { method, path: rawPath } },
      ...(body !== undefined && encode(body)),
    },
    milliseconds === undefined ? {} : { milliseconds },
  );
  const iterator = chunks[Symbol.asyncIterator]();
  let seen = Buffer.alloc(0);
  while (!seen.includes(separator)) {
    const { done, value } = await iterator.next();
    if (done) throw new Error(`no answer: ${JSON.stringify(await failure)}`);
    seen = Buffer.concat([seen, value]);
  }
  const end = seen.indexOf(separator);
  const pieces = rest(seen.subarray(end + separator.length), iterator);
  const bytes = async () => {
    const all: Buffer[] = [];
    for await (const piece of pieces) all.push(piece);
    return Buffer.concat(all);
  };
  return {
    ...(JSON.parse(seen.subarray(0, end).toString()) as Head),
    pieces,
    bytes,
    text: async () => (await bytes()).toString('utf8'),
    failure,
  };
}

async function* rest(first: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
}

const lowerCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Lambda passes text on as it is, and bytes in base64. */
const encode = (body: string | Buffer) =>
  typeof body === 'string'
    ? { body, isBase64Encoded: false }
    : { body: body.toString('base64'), isBase64Encoded: true };
