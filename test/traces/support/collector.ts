import * as v from 'valibot';
import { type LocalServer, type Received, type Reply, sendJson, serve } from '../../support/local-server.ts';
import { exportRequest, type OtlpSpan } from './otlp.ts';

/** A span as it was taken, with its attributes as an object. */
export interface TakenSpan extends Omit<OtlpSpan, 'attributes' | 'kind'> {
  kind: 'internal' | 'client';
  of: Record<string, string | number | string[]>;
}

export interface Collector extends LocalServer {
  /** Requests whose spans were taken. */
  received: Received[];
  spans(): TakenSpan[];
  /** Replies so from now on, in place of taking spans. Undefined: takes them again. */
  reply(how: Reply | undefined): void;
}

/** A receiver of spans that holds every request to the published protocol, and refuses it otherwise. */
export async function startCollector(): Promise<Collector> {
  const received: Received[] = [];
  const taken: TakenSpan[] = [];
  let other: Reply | undefined;
  const server = await serve((request, response) => {
    if (other) return other(request, response);
    const isTraces = request.path.endsWith('/v1/traces');
    if (!isTraces || request.headers['content-type'] !== 'application/json')
      return sendJson(response, 404, {});
    const { success, output } = v.safeParse(exportRequest, JSON.parse(request.body));
    if (!success) return sendJson(response, 400, { message: 'not as the protocol has it' });
    received.push(request);
    taken.push(...spansOf(output));
    return sendJson(response, 200, {});
  });
  return {
    ...server,
    received,
    spans: () => taken,
    reply(how) {
      other = how;
    },
  };
}

const spansOf = ({ resourceSpans }: v.InferOutput<typeof exportRequest>): TakenSpan[] =>
  resourceSpans.flatMap(({ scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ attributes, kind, ...span }) => ({
        ...span,
        kind: kind === 1 ? 'internal' : 'client',
        of: Object.fromEntries(attributes.map(({ key, value }) => [key, plain(value)])),
      })),
    ),
  );

function plain(value: OtlpSpan['attributes'][number]['value']): string | number | string[] {
  if ('stringValue' in value) return value.stringValue;
  if ('intValue' in value) return Number(value.intValue);
  if ('doubleValue' in value) return value.doubleValue;
  return value.arrayValue.values.map(({ stringValue }) => stringValue);
}
