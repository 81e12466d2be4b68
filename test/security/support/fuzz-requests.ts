import fc from 'fast-check';
import { anyText, jsonOf, type Known, type Schema, textOf } from './fuzz-values.ts';

export interface FuzzRequest {
  method: string;
  /** As it stands in the request line. */
  path: string;
  headers: Record<string, string>;
  body?: Buffer;
  /** The client breaks off: in the middle of its body, or at the first byte of the answer. */
  leaves?: 'in-body' | 'in-answer';
}

interface Operation {
  parameters?: { in: string; name: string }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

/** What exists in the service that is asked: ids, names, keys. */
export interface Material {
  keys: readonly string[];
  runs: readonly string[];
  skills: readonly string[];
  names: readonly string[];
  models: readonly string[];
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** Requests over every route of the document: most of them nearly right, some broken in every part. */
export function fuzzRequests({ paths }: OpenApi, material: Material): fc.Arbitrary<FuzzRequest> {
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      // Few, because most of what other requests name would be gone.
      weight: method === 'delete' ? 1 : 8,
      arbitrary: requestOf(method.toUpperCase(), path, operation, material),
    })),
  );
  const elsewhere = anyText.chain((text) =>
    requestOf('GET', `/${encodeURIComponent(text.toWellFormed())}`, {}, material),
  );
  return fc.oneof(...routes, { weight: 8, arbitrary: elsewhere });
}

function requestOf(
  documented: string,
  route: string,
  operation: Operation,
  material: Material,
): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = operation;
  const method = fc.oneof(
    { weight: 14, arbitrary: fc.constant(documented) },
    { weight: 1, arbitrary: fc.constantFrom(...methods) },
  );
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) =>
    bodyOf(type, schema, material),
  );
  return fc
    .record({
      method,
      path: pathOf(route, material),
      query: queryOf(parameters.filter((each) => each.in === 'query').map(({ name }) => name)),
      headers: headersOf(material),
      sent: bodies.length > 0 ? fc.oneof(...bodies) : fc.constant(undefined),
      leaves: fc.oneof(
        { weight: 30, arbitrary: fc.constant(undefined) },
        { weight: 1, arbitrary: fc.constantFrom('in-body' as const, 'in-answer' as const) },
      ),
    })
    .map(({ method, path, query, headers, sent, leaves }) => ({
      method,
      path: `${path}${query}`,
      headers: { ...sent?.headers, ...headers },
      ...(sent && method !== 'GET' && method !== 'HEAD' && { body: sent.body }),
      leaves,
    }));
}

/** Text for a path's segment or a query: encoded, and at times as odd bytes that a request line may carry. */
const segment = (known: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 12, arbitrary: known },
    { weight: 1, arbitrary: anyText },
    { weight: 1, arbitrary: fc.constantFrom('%', '%zz', '%ff', '%00', '..', '%2e%2e', ';x', '#', '?') },
  );

const encoded = (text: string): string =>
  /^[%.;#?]/.test(text) ? text.replaceAll(/[^\x21-\x7e]/g, '_') : encodeURIComponent(text.toWellFormed());

function pathOf(route: string, material: Material): fc.Arbitrary<string> {
  const segments = route.split('/').map((part) => {
    if (part.startsWith('{')) return segment(knownTo(material, route)(part.slice(1, -1))).map(encoded);
    return fc.oneof(
      { weight: 60, arbitrary: fc.constant(part) },
      { weight: 1, arbitrary: anyText.map(encoded) },
    );
  });
  return fc.tuple(...segments).map((parts) => parts.join('/') || '/');
}

function queryOf(names: readonly string[]): fc.Arbitrary<string> {
  const value = fc.oneof(fc.constantFrom('1', '20', '0', '-1', 'x', '1e9', ''), anyText);
  const pair = fc
    .tuple(fc.oneof(fc.constantFrom('limit', ...names), anyText), value)
    .map((both) => both.map((text) => encodeURIComponent(text.toWellFormed())).join('='));
  return fc
    .array(pair, { maxLength: names.length + 1 })
    .map((all) => (all.length ? `?${all.join('&')}` : ''));
}

const headerText = anyText.map((text) => text.replaceAll(/[^\x20-\x7e]/g, '').slice(0, 2_000));

function headersOf({ keys }: Material): fc.Arbitrary<Record<string, string>> {
  const authorization = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...keys).map((key) => `Bearer ${key}`) },
    { weight: 1, arbitrary: headerText },
  );
  return fc
    .record(
      {
        authorization,
        accept: fc.constantFrom('text/markdown', 'text/event-stream', '*/*;q=0', 'a/b;q=x,,'),
        'idempotency-key': headerText,
        'last-event-id': fc.oneof(fc.constantFrom('0', '1', '999999', '-1'), headerText),
        'if-match': headerText,
        'if-none-match': headerText,
        'x-request-id': headerText,
        range: fc.constantFrom('bytes=0-', 'bytes=9-1'),
        'content-type': fc.oneof(fc.constantFrom('application/json', 'multipart/form-data'), headerText),
        'content-encoding': fc.constantFrom('gzip', 'br'),
        origin: headerText,
        'x-forwarded-for': headerText,
      },
      { requiredKeys: ['authorization'] },
    )
    .chain((all) =>
      // Each further header of one request in eight, so that most bodies are read as what they are.
      fc
        .array(fc.integer({ min: 0, max: 7 }), { minLength: 12, maxLength: 12 })
        .map((dice) =>
          Object.fromEntries(
            Object.entries(all).filter(([name], i) => name === 'authorization' || dice[i] === 0),
          ),
        ),
    );
}

function bodyOf(type: string, schema: Schema, material: Material) {
  const known = knownTo(material);
  const text = type === 'multipart/form-data' ? formOf(schema, known) : plainOf(type, schema, known);
  return fc.tuple(text, fc.integer({ min: 0, max: 999 })).map(([whole, permille]) => {
    // One body in ten is cut somewhere.
    const body = Buffer.from(permille < 100 ? whole.slice(0, (whole.length * permille) / 100) : whole);
    const contentType = type === 'multipart/form-data' ? `${type}; boundary=line` : type;
    return { body, headers: { 'content-type': contentType } };
  });
}

/** What exists, by the names that the document gives to its fields and parameters. */
function knownTo({ runs, skills, names, models }: Material, route = ''): Known {
  const texts: Record<string, readonly string[]> = {
    agentId: runs,
    id: route.includes('skills') ? skills : runs,
    name: names,
    number: ['1', '2'],
    model: models,
    role: ['user', 'system', 'assistant'],
    type: ['noul', 'choice', 'score'],
    documentUrl: ['https://example.com/a.pdf', 'http://127.0.0.1:1/a.png'],
    audioUrl: ['https://example.com/a.mp3'],
    filename: ['a.txt', 'b.pdf'],
  };
  const others = ['What is the tide?', 'high', 'low'];
  return (field) => fc.constantFrom(...((Object.hasOwn(texts, field) && texts[field]) || others));
}

const plainOf = (type: string, schema: Schema, known: Known): fc.Arbitrary<string> =>
  type === 'application/json'
    ? jsonOf(schema, known)
    : fc
        .tuple(anyText, anyText)
        .map(([name, text]) => `---\nname: ${name}\ndescription: ${text}\n---\n${text}`);

const fileNames = ['a.txt', 'b.pdf', 'c.docx', 'd.png', 'e.mp3', 'f', '../g.md', 'h.html', 'i.xlsx'];

function formOf(schema: Schema, known: Known): fc.Arbitrary<string> {
  const names = Object.keys(schema.properties ?? {});
  const partOf = (name: string) =>
    fc.tuple(fc.constantFrom(...fileNames), textOf(known(name))).map(([fileName, value]) => {
      const file = name === 'file' ? `; filename="${fileName}"` : '';
      return `--line\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
    });
  const others = fc.array(textOf(fc.constantFrom(...names)).chain(partOf), { maxLength: 2 });
  return fc
    .tuple(fc.constantFrom('question', 'file').chain(partOf), others)
    .map(([first, more]) => `${first}${more.join('')}--line--\r\n`);
}
