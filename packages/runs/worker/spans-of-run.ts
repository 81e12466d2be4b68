import { type AgentEvent, isBrought, isTerminalType, nameableTools } from '@errand/agent';
import { type LedgerEntry, spanOfCharge } from '@errand/money';
import { contextOfWork, readTraceparent, type Span } from '@errand/platform';
import { endMessages } from '../end-run.ts';
import { contextOfRun, type RunRecord } from '../run.ts';

/** What spans tell of an event. */
export interface TracedEvent {
  id: number;
  name: AgentEvent['type'];
  /** ISO 8601: when it was committed. */
  at: string;
  toolName?: string;
  /** Of a result: the tool failed. */
  isFailed?: boolean;
  /** What was asked or answered, if spans have texts. */
  text?: string | undefined;
}

/** The spans of a run that is over: its own, one for each call of a tool, and one for each call of a provider. */
export function spansOfRun(
  run: RunRecord,
  events: readonly TracedEvent[],
  charges: readonly LedgerEntry[],
  capturesContent: boolean,
): Span[] {
  const root = rootSpan(run, events, capturesContent);
  const commits = [run.createdAt, ...events.map(({ at }) => at), ...charges.map(({ at }) => at)]
    .map((at) => Date.parse(at))
    .toSorted((a, b) => a - b);
  const calls = charges.flatMap(({ kind, finishReason, amountNanoEuro, ...charge }) => {
    if (kind === 'credit') return [];
    const endMilliseconds = Date.parse(charge.at);
    // The time at which a provider was asked is not stored: the call began after the commit before its own.
    const startMilliseconds = commits.findLast((at) => at < endMilliseconds) ?? endMilliseconds;
    const finishReasons = finishReason === undefined ? undefined : [finishReason];
    const told = { parent: root, startMilliseconds, endMilliseconds, finishReasons };
    return [spanOfCharge({ ...charge, kind, amountNanoEuro: -amountNanoEuro }, told)];
  });
  return [root, ...toolSpans(run, root, events, capturesContent), ...calls];
}

function rootSpan(run: RunRecord, events: readonly TracedEvent[], capturesContent: boolean): Span {
  const end = events.findLast(({ name }) => isTerminalType(name));
  const { status, question } = run;
  return {
    ...contextOfRun(run),
    parentSpanId: readTraceparent(run.traceparent)?.spanId,
    name: 'invoke_agent errand',
    kind: 'internal',
    startMilliseconds: Date.parse(run.createdAt),
    endMilliseconds: Date.parse(end?.at ?? run.updatedAt),
    errorType: status === 'failed' ? reasonOfEnd(run) : undefined,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'errand',
      'gen_ai.agent.name': 'errand',
      'gen_ai.request.model': run.model,
      // Names that the spans of its calls do not have: backends add up what is named alike in a trace.
      'errand.run.input_tokens': run.inputTokens,
      'errand.run.cached_input_tokens': run.cachedInputTokens,
      'errand.run.output_tokens': run.outputTokens,
      'errand.run.cost_nano_euro': run.amountNanoEuro,
      'errand.account.id': run.payer.accountId,
      'errand.key.id': run.keyId,
      'errand.request.id': run.requestId,
      'errand.run.id': run.agentId,
      'errand.run.status': status,
      'errand.run.stop_reason': run.stopReason,
      'gen_ai.input.messages': capturesContent ? messageOf('user', question) : undefined,
      'gen_ai.output.messages': messageOf('assistant', end?.text),
    },
  };
}

const messageOf = (role: string, content: string | undefined): string | undefined =>
  content === undefined ? undefined : JSON.stringify([{ role, parts: [{ type: 'text', content }] }]);

/** Why a run failed. The words of other failures may be a provider's. */
const reasonOfEnd = ({ error }: RunRecord): string =>
  Object.entries(endMessages).find(([, message]) => message === error)?.[0] ?? '_OTHER';

const ownTools: ReadonlySet<string> = new Set([...nameableTools, 'request_input']);

/** Strangers name the tools that are brought, and a model may write anything in place of a name. */
const nameOf = ({ toolName = '' }: TracedEvent): string => {
  if (ownTools.has(toolName)) return toolName;
  return isBrought(toolName) ? 'brought' : 'unknown';
};

/** Results come in the order of their calls. A call without one was under way when the run ended. */
function toolSpans(
  run: RunRecord,
  root: Span,
  events: readonly TracedEvent[],
  capturesContent: boolean,
): Span[] {
  const results = events.filter(({ name }) => name === 'tool_result');
  return events
    .filter(({ name }) => name === 'tool_call')
    .map((call, i) => {
      const result = results[i];
      return {
        ...contextOfWork(`${run.agentId}:event-${call.id}`, root),
        parentSpanId: root.spanId,
        name: `execute_tool ${nameOf(call)}`,
        kind: 'internal',
        startMilliseconds: Date.parse(call.at),
        endMilliseconds: result ? Date.parse(result.at) : root.endMilliseconds,
        errorType: result ? (result.isFailed ? 'tool_error' : undefined) : (root.errorType ?? '_OTHER'),
        attributes: {
          'gen_ai.operation.name': 'execute_tool',
          'gen_ai.tool.name': capturesContent ? call.toolName : nameOf(call),
          'gen_ai.tool.call.arguments': call.text,
          'gen_ai.tool.call.result': result?.text,
          'errand.run.id': run.agentId,
        },
      };
    });
}
