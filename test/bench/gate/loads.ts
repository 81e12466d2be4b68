import type { Section } from '../chat/sections.ts';
import { type Dialect, type Load, responses } from '../chat/target.ts';

export const decisionModel = 'judge';

/** How System One's server answers the decision below. */
export const decided = {
  answers: { q: { type: 'noul', noul: 0.75 } },
  usage: { input_tokens: 100, output_tokens: 0 },
};

const posted = (path: string, body: object, status: number, plain: string): Dialect => ({
  path,
  body: () => JSON.stringify(body),
  status,
  ends: { stream: '', plain },
});

const questions = { q: { type: 'noul' } };
const run = posted('/v1/agents/runs', { question: 'What is measured?' }, 202, '"agentId"');
const decision = posted(
  '/v1/systemone',
  { model: decisionModel, state: 'a case', questions },
  200,
  '"usage"',
);
const call = { name: 'decide', arguments: { state: 'a case', questions } };
const mcp = posted('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }, 200, 'noul');

const plain = (total: number, dialect?: Dialect): Load => ({
  kind: 'plain',
  chunks: 50,
  atOnce: 4,
  total,
  dialect,
});

export type GateSection = Pick<Section, 'title'> & { loads: [Load] };

/** The requests of one round: each load takes a service a tenth to a third of a second. */
export const loads: GateSection[] = [
  { title: 'plain completion', loads: [plain(80)] },
  { title: 'paced stream', loads: [{ kind: 'paced', chunks: 200, atOnce: 16, total: 16 }] },
  { title: "a run's creation", loads: [plain(40, run)] },
  { title: 'decision', loads: [plain(40, decision)] },
  { title: 'response', loads: [plain(40, responses)] },
  { title: '`/mcp` call', loads: [plain(32, mcp)] },
];
