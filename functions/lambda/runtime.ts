import type { Writable } from 'node:stream';

/** Lambda's description of an invocation. */
export interface LambdaContext {
  awsRequestId: string;
  functionVersion?: string;
  getRemainingTimeInMillis(): number;
}

/** A request as a function URL sends it (payload format 2.0). */
export interface FunctionUrlEvent {
  rawPath: string;
  rawQueryString: string;
  headers: Record<string, string | undefined>;
  /** Lambda removes cookies from the headers. */
  cookies?: string[];
  body?: string;
  isBase64Encoded?: boolean;
  requestContext: { domainName: string; http: { method: string } };
}

interface StreamMetadata {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
}

export type StreamingHandler = (
  event: FunctionUrlEvent,
  responseStream: Writable,
  context: LambdaContext,
) => Promise<void>;

/** The global `awslambda` of Lambda's Node runtime. */
export interface LambdaGlobal {
  streamifyResponse(handler: StreamingHandler): StreamingHandler;
  HttpResponseStream: { from(responseStream: Writable, metadata: StreamMetadata): Writable };
}

declare global {
  var awslambda: LambdaGlobal;
}
