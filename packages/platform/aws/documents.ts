import { randomUUID } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  ScanCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type {
  Command,
  DeserializeMiddleware,
  FinalizeRequestMiddleware,
  Handler,
  HttpRequest,
  HttpResponse,
  InitializeMiddleware,
  MetadataBearer,
  MiddlewareStack,
  SerializeMiddleware,
} from '@smithy/types';
import { fromAttributes, toAttributes } from './attributes.ts';

// Each command has other members. Their types are checked where a command is made, and where its answer is read.
// biome-ignore lint/suspicious/noExplicitAny: see above
type Any = any;
type Change = (value: Any) => Any;

const at =
  (changes: Record<string, Change>): Change =>
  (value) => {
    const changed = { ...value };
    for (const name in changes)
      if (changed[name] === null) delete changed[name];
      else if (changed[name] !== undefined) changed[name] = changes[name]!(changed[name]);
    return changed;
  };

const each =
  (change: Change): Change =>
  (list: unknown[]) =>
    list.map(change);

const every =
  (change: Change): Change =>
  (map: object) =>
    Object.fromEntries(
      Object.entries(map).flatMap(([name, value]) => (value == null ? [] : [[name, change(value)]])),
    );

const ofItem = at({
  Key: toAttributes,
  Item: toAttributes,
  ExpressionAttributeValues: toAttributes,
  ExclusiveStartKey: toAttributes,
});

/** Where each command has attributes. */
const inputs = new Map<unknown, Change>([
  [GetCommand, ofItem],
  [PutCommand, ofItem],
  [UpdateCommand, ofItem],
  [DeleteCommand, ofItem],
  [QueryCommand, ofItem],
  [ScanCommand, ofItem],
  [
    TransactWriteCommand,
    // Made before the SDK's retries, so that they share it, and after those of `retryConflicts`, each of which gets one of its own.
    (input) => ({
      ...at({ TransactItems: each(every(ofItem)) })(input),
      ClientRequestToken: input.ClientRequestToken ?? randomUUID(),
    }),
  ],
  [BatchGetCommand, at({ RequestItems: every(at({ Keys: each(toAttributes) })) })],
  [BatchWriteCommand, at({ RequestItems: every(each(every(ofItem))) })],
]);

const readOutput = at({
  Item: fromAttributes,
  Attributes: fromAttributes,
  Items: each(fromAttributes),
  LastEvaluatedKey: fromAttributes,
  Responses: every(each(fromAttributes)),
  UnprocessedKeys: every(at({ Keys: each(fromAttributes) })),
  UnprocessedItems: every(each(every(at({ Key: fromAttributes, Item: fromAttributes })))),
});

type Stack = MiddlewareStack<Any, Any>;
type SentCommand = Command<Any, Any, MetadataBearer, Any, unknown>;
type Send = (
  command: SentCommand & { clientCommand: SentCommand },
  options?: object,
  callback?: unknown,
) => Promise<Any>;

/**
 * The client of the stores: that of the SDK (lib-dynamodb 3.1162) at half the CPU. The SDK puts its middleware together for each
 * command, and walks through each item four times. Here both is done once. Errors are read by the SDK, and it sends the
 * commands that no store sends.
 *
 * Middleware of the client must keep nothing of a request in its `context`, which all requests of a class share, also those under way.
 * Middleware of a single command is not heard. At the steps after `initialize` an answer has attributes, not values.
 */
export function createDocuments(client: DynamoDBClient): DynamoDBDocumentClient {
  const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
  const sendBySdk = documents.send.bind(documents) as Send;
  const handlers = new Map<unknown, Handler<Any, Any>>();
  onChange(client.middlewareStack as Stack, () => handlers.clear());
  const send: Send = async (command, options, callback) => {
    const kind = command.constructor;
    const marshal = inputs.get(kind);
    if (!marshal || callback || typeof options === 'function') return sendBySdk(command, options, callback);
    let handler = options ? undefined : handlers.get(kind);
    if (!handler) {
      // What is kept holds no input. It is the client's command: that of the library would marshal once more.
      const empty = new (command.clientCommand.constructor as new (input: object) => SentCommand)({});
      const stack = stackOf(client.middlewareStack as Stack, marshal);
      // The SDK copies the configuration for each command, and V8 copies a copy in an eighth of the time.
      handler = empty.resolveMiddleware(stack, { ...client.config }, options);
      if (!options) handlers.set(kind, handler);
    }
    return (await handler({ input: command.input })).output;
  };
  documents.send = send as typeof documents.send;
  return documents;
}

/** Middleware may be added after commands were sent. */
function onChange(stack: Stack, told: () => void): void {
  for (const change of ['add', 'addRelativeTo', 'remove', 'removeByTag'] as const) {
    const original = stack[change] as (...given: unknown[]) => never;
    stack[change] = (...given: unknown[]) => {
      told();
      return original(...given);
    };
  }
}

function stackOf(ofClient: Stack, marshal: Change): Stack {
  const stack = ofClient.clone();
  const readBySdk = middlewareOf(stack, 'deserializerMiddleware');
  const put = (middleware: Any, step: 'serialize' | 'deserialize', name: string) => {
    stack.remove(name);
    // What others add to the step comes after it, as after that of the SDK.
    stack.add(middleware, { step, name, priority: 'high' } as Any);
  };
  put(writeRequest, 'serialize', 'serializerMiddleware');
  put(readAnswer(readBySdk), 'deserialize', 'deserializerMiddleware');
  const translate: InitializeMiddleware<Any, Any> = (next) => async (args) => {
    const result = await next({ ...args, input: marshal(args.input) });
    return { ...result, output: readOutput(result.output) };
  };
  // Before the command's own middleware, which is joined later and finds the endpoint by what is marshalled.
  const place = { relation: 'before', toMiddleware: 'serializerMiddleware' } as const;
  stack.addRelativeTo(translate as SerializeMiddleware<Any, Any>, { ...place, name: 'translate' });
  stack.addRelativeTo(ownSigning as Any, {
    relation: 'before',
    toMiddleware: 'httpSigningMiddleware',
    name: 'ownSigning',
  });
  return stack;
}

/**
 * The SDK's signing reads from the shared `context`, as soon as it is called, what it signs by, and notes there by which clock each
 * attempt was signed. Two requests with the same note would take each other's correction of the clock for their own.
 */
const ownSigning: FinalizeRequestMiddleware<Any, Any> = (next, context) => (args) => {
  const { __smithy_context: shared = {} } = context;
  const scheme = shared.selectedHttpAuthScheme as Any;
  const { httpAuthOption: option } = scheme;
  const own = { ...option, signingProperties: { ...option.signingProperties } };
  shared.selectedHttpAuthScheme = { ...scheme, httpAuthOption: own };
  return next(args);
};

/** A stack tells its middleware only by adding it to another one. */
function middlewareOf(stack: Stack, name: string): DeserializeMiddleware<Any, Any> {
  let found: unknown;
  const add = (middleware: unknown, options: { name?: string }) => {
    if (options.name === name) found = middleware;
  };
  (stack as unknown as { applyToStack(to: object): void }).applyToStack({ add, addRelativeTo: add });
  if (!found) throw new Error(`the SDK has no ${name}`);
  return found as DeserializeMiddleware<Any, Any>;
}

const writeRequest: SerializeMiddleware<Any, Any> = (next, context) => async (args) => {
  const { service, operation } = context.__smithy_context ?? {};
  const { protocol, hostname, port, pathname } = context.endpointV2!.url;
  const request: HttpRequest = {
    method: 'POST',
    protocol,
    hostname,
    port: port ? Number(port) : undefined,
    path: pathname.endsWith('/') ? pathname : `${pathname}/`,
    query: {},
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `${service}.${operation}`,
    },
    body: JSON.stringify(args.input),
  };
  return next({ ...args, request });
};

const readAnswer =
  (readBySdk: DeserializeMiddleware<Any, Any>): DeserializeMiddleware<Any, Any> =>
  (next, context) =>
  async (args) => {
    const result = await next(args);
    const { statusCode, headers, body } = result.response as HttpResponse;
    if (statusCode !== 200 || !Buffer.isBuffer(body)) return readBySdk(async () => result, context)(args);
    const output = JSON.parse(body.toString()) as object;
    const requestId = headers['x-amzn-requestid'];
    return {
      response: result.response,
      output: { ...output, $metadata: { httpStatusCode: 200, requestId } },
    };
  };
