import type { Answer, ScriptedCall } from '../support/model-server.ts';
import type { FollowedRun } from './callers.ts';
import { deskLabel } from './desk.ts';

/** The tool calls and the completions of a run, with those of the final check. */
interface Work {
  calls: number;
  completions: number;
  /** It ends with a call for its caller. */
  asks?: true;
  /** How many of its questions sub-runs work on. */
  parts?: number;
}

/** A run, and the run that goes on from it. */
interface Conversation {
  /** The tools that are called in turn, before the answer. */
  tools: string[];
  /** Fields of the creations of both. */
  given?(deskUrl: string): object;
  first: Work;
  /** What the second run is told. `callId` is that of the call that the first ended with. */
  told?(callId: string | undefined): object;
  second?: Work;
}

const mcp = (url: string) => [{ label: deskLabel, url }];
const [order, look] = [`${deskLabel}__order`, `${deskLabel}__look`];

const conversations: Conversation[] = [
  {
    tools: ['save_data', order, look],
    given: (deskUrl) => ({ mcp: mcp(deskUrl) }),
    first: { calls: 3, completions: 5 },
  },
  {
    tools: ['save_data', order, look],
    given: (deskUrl) => ({ mcp: mcp(deskUrl), approve: [order] }),
    first: { calls: 1, completions: 2, asks: true },
    told: (callId) => ({ approvals: [{ callId, approve: true }] }),
    second: { calls: 2, completions: 3 },
  },
  {
    tools: ['save_data', 'count', 'save_data'],
    given: () => ({ functions: [{ name: 'count', parameters: { type: 'object' } }] }),
    first: { calls: 1, completions: 2, asks: true },
    told: (callId) => ({ functionResults: [{ callId, result: '12' }] }),
    second: { calls: 1, completions: 3 },
  },
  {
    tools: ['save_data', 'save_data', 'save_data'],
    first: { calls: 3, completions: 5 },
    told: () => ({ question: 'And now?' }),
    second: { calls: 0, completions: 2 },
  },
  {
    tools: ['investigate'],
    given: () => ({ agent: stormAgent.name }),
    first: { calls: 1, completions: 3, parts: 2 },
  },
];

/** A stored agent of each account. */
export const stormAgent = {
  name: 'scout',
  instructions: 'Give all questions away.',
  tools: ['save_data'],
  effort: 'high',
};

/** A sub-run of the last of these conversations. */
const part: Conversation = { tools: ['save_data'], first: { calls: 1, completions: 3 } };
const partOf = (label: string, number: number): string => `${label}-${number}`;

const second = '+';
export const isSecond = ({ label }: Pick<FollowedRun, 'label'>): boolean => label.endsWith(second);

const nameOf = (label: string): string => label.replace(second, '');
const conversationOf = (label: string) =>
  label.includes('-') ? part : conversations[Number(nameOf(label).slice(1)) % conversations.length]!;

export const runUsage = { input: 100, output: 10 };

/** Answers depend on the conversation alone, so that a repeated request gets the same answer. */
export function answerTo(label: string, turn: number): Answer {
  const { tools, first } = conversationOf(label);
  const tool = tools[turn - 1];
  if (tool === undefined) return { text: `Run ${label} is done.`, usage: runUsage };
  const args: Record<string, object> = {
    save_data: { name: `${label}-${turn}`, value: label },
    investigate: {
      questions: Array.from({ length: first.parts ?? 0 }, (_, i) => `Work on [run ${partOf(label, i + 1)}]`),
    },
  };
  const call: ScriptedCall = { name: tool, args: args[tool] ?? { label } };
  return { calls: [call], usage: runUsage };
}

/** The creation of a conversation's first run. */
export const firstBody = (label: string, deskUrl: string): object => ({
  question: `Work on [run ${label}]`,
  ...conversationOf(label).given?.(deskUrl),
});

/** The run that goes on from this one, with its creation. Undefined if none does. */
export function secondRun(
  { label, agentId: previousRunId, events }: FollowedRun,
  deskUrl: string,
): { run: FollowedRun; body: object } | undefined {
  const { told, given } = conversationOf(label);
  const [asked] = (events.at(-1)?.calls ?? []) as { id: string }[];
  const body = told && { previousRunId, ...given?.(deskUrl), ...told(asked?.id) };
  return body && { run: { label: `${label}${second}`, events: [] }, body };
}

/** The work of a sub-run. */
export const partWork: Work = part.first;

/** What the run has to have done by itself, and the text that it has to end with. */
export function workOf(label: string): Work & { text?: string } {
  const conversation = conversationOf(label);
  const work = isSecond({ label }) ? conversation.second! : conversation.first;
  return { ...work, text: work.asks ? undefined : `Run ${nameOf(label)} is done.` };
}
