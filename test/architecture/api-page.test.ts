import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AgentEvent, agentTools } from '@errand/agent';
import {
  creationErrors as agentCreationErrors,
  patchErrors as agentPatchErrors,
  queryErrors as agentQueryErrors,
} from '@errand/agents/testing';
import { chatErrors } from '@errand/chat/testing';
import { systemOneErrors } from '@errand/decisions/testing';
import { messagesErrors, shapeError } from '@errand/messages/testing';
import {
  callerLimits,
  type DomainError,
  type Envelope,
  type ErrorDetails,
  type ErrorTable,
  errorCodes,
  plainErrors,
} from '@errand/platform';
import { internalError } from '@errand/platform/testing';
import { responsesErrors } from '@errand/responses/testing';
import { createRunForm, createRunSchema, runErrors, runStatuses } from '@errand/runs/testing';
import { creationErrors, patchErrors, queryErrors } from '@errand/skills/testing';
import { fileKind, uploadRouteErrors } from '@errand/uploads/testing';
import { describe, expect, test } from 'vitest';
import { root } from './sources.ts';

const page = readFileSync(path.join(root, 'docs/api.md'), 'utf8');

/** The text from a heading to the next one. */
function section(heading: string): string {
  const [, text] = page.split(`${heading}\n`);
  if (text === undefined) throw new Error(`docs/api.md has no ${heading}`);
  return text.split(/\n#{2,} /)[0] ?? '';
}

/** The cells of a section's table rows, without heads and rules. */
const rows = (heading: string): string[][] =>
  section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(1, -1).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()));

const unquoted = (cell = '') => cell.replaceAll('`', '');

/** What the rows of the page were written with. */
const details: ErrorDetails = {
  ...({} as ErrorDetails),
  budget_spent: { amount: '5', period: 'day', retryAfterSeconds: 60 },
  ceiling_spent: { organisationId: 'organisation_ID', amount: '100', retryAfterSeconds: 60 },
  route_forbidden: { route: 'runs' },
  model_forbidden: { model: 'MODEL' },
  rate_limited: { retryAfterSeconds: 60 },
  body_too_large: { limitBytes: callerLimits.jsonBodyBytes },
  nested_too_deep: { limitLevels: callerLimits.jsonNestingLevels },
  invalid_request: { issues: [{ field: 'FIELD', problem: 'PROBLEM' }] },
  too_many_uploads: { limit: callerLimits.openUploads, retryAfterSeconds: 60 },
  run_cannot_continue: { reason: 'not_kept' },
  upload_too_large: { filename: 'report.pdf', limitBytes: callerLimits.documentBytes },
  extension_not_accepted: { extension: '.xyz', accepted: ['.png', '.jpg', '...'] },
  upload_unreadable: { reason: 'The file is named .pdf but its content is a PNG image.' },
  agent_unresolved: { reason: 'unknown', name: 'NAME' },
  agent_changed: { name: 'NAME' },
  agent_forbidden: { agent: 'NAME' },
  skill_unresolved: { reason: 'unknown', name: 'NAME' },
  skill_changed: { name: 'NAME' },
  skill_name_taken: { name: 'NAME' },
  agent_name_taken: { name: 'NAME' },
  instructions_too_long: {
    limit: callerLimits.skillInstructionsCharacters,
    actual: callerLimits.skillInstructionsCharacters + 1,
  },
  no_credits: { available: '0', needed: '0.0068' },
  model_not_found: { model: 'MODEL', nearest: 'writer' },
  model_kind_unsupported: { model: 'MODEL' },
  input_unsupported: { problem: 'PROBLEM' },
  context_length_exceeded: { limitTokens: callerLimits.decisionContextTokens, moreThanTokens: 24_576 },
  upstream_refused: { message: 'The model did not accept the request.', code: 'CODE', param: 'PARAM' },
};

const everyRoute = '### Errors of every route';

describe.each([
  ['runs', '### Errors of runs, files and values', runErrors],
  ['files', '### Errors of runs, files and values', uploadRouteErrors],
  ['values', '### Errors of runs, files and values', plainErrors],
  ['creating agents', '### Errors of agents', agentCreationErrors],
  ['changing agents', '### Errors of agents', agentPatchErrors],
  ['reading agents', '### Errors of agents', agentQueryErrors],
  ['creating skills', '### Errors of skills', creationErrors],
  ['changing skills', '### Errors of skills', patchErrors],
  ['reading skills', '### Errors of skills', queryErrors],
  ['decisions', '### Errors of decisions', systemOneErrors],
  ['chat', '### Errors of chat and models', chatErrors],
])('the errors of %s', (_, heading, table: ErrorTable) => {
  const codes = Object.keys(table) as (keyof ErrorDetails)[];
  const own = rows(heading);
  const shared = rows(everyRoute);

  test.each(codes)('%s is on the page, with its status and body', (code) => {
    const render = table[code] as (given: unknown) => ReturnType<ErrorTable['unauthorized']>;
    const { status, body, headers = {} } = render(details[code]);
    if (body === internalError.body) return;
    const row = [...own, ...shared].find(([name]) => unquoted(name) === code);
    const lines = typeof body === 'string' ? body.split('\n') : [JSON.stringify(body)];
    expect(row?.[1]).toBe(String(status));
    for (const line of lines) expect(row?.[2]).toContain(`\`${line}`);
    if ('Retry-After' in headers) expect(row?.[2]).toContain('Retry-After');
  });
});

test('a response that is not found is told on the page in the words of the service', () => {
  const [, status, told] = rows('### Errors of chat and models').find(
    ([name]) => unquoted(name) === 'response_not_found',
  )!;
  const whole = responsesErrors.not_found(undefined);
  expect([status, told]).toEqual([
    String(whole.status),
    expect.stringContaining(`\`${JSON.stringify(whole.body)}\``),
  ]);
  for (const param of ['previous_response_id', 'input[0].id']) {
    const { error } = responsesErrors.response_not_found({ param }).body as Envelope;
    for (const word of [error.message, error.code]) expect(told).toContain(`\`${word}\``);
  }
});

test('every status of a message has its type on the page, and a request that is too long its words', () => {
  const typeOf = (status: number) => {
    const answer = { status: status as 400, body: 'No.' };
    return (shapeError(answer, 'ID').body as { error: { type: string } }).error.type;
  };
  const told = rows('### Errors of messages').flatMap(([statuses = '', type]) =>
    (statuses.match(/\d+/g) ?? []).map((status) => [Number(status), unquoted(type)]),
  );
  expect(told).toHaveLength(13);
  expect(told).toEqual(told.map(([status]) => [status, typeOf(Number(status))]));
  const { error } = messagesErrors.context_length_exceeded({ limitTokens: 32_768, moreThanTokens: 40_000 })
    .body as Envelope;
  expect(section('### Errors of messages')).toContain(`\`${error.message}\``);
});

test('every route is in the table of areas', () => {
  const types = readFileSync(path.join(root, 'packages/client/schema.ts'), 'utf8');
  const routes = [...types.matchAll(/^ {4}"(\/.+)": \{$/gm)].map(([, route = '']) => route);
  const told = rows('# The API: what callers are promised').flatMap(([, cell = '']) =>
    [...cell.matchAll(/([^\s`]+)`/g)].map(([, route = '']) => route),
  );
  const isTold = (route: string) =>
    told.some((one) => one === route || (one.startsWith('.../') && route.endsWith(one.slice(3))));
  expect(routes.length).toBeGreaterThan(30);
  expect(routes.filter((route) => !isTold(route))).toEqual([]);
});

test('every error name in the tables exists in the code', () => {
  const known = new Set<string>(Object.keys(runErrors));
  const told = page
    .split('\n## Errors\n')[1]
    ?.split('\n## ')[0]
    ?.match(/^\| `\w+` \| \d/gm)
    ?.map((row) => row.split('`')[1] ?? '');
  expect(told?.filter((name) => !known.has(name))).toEqual([]);
  expect(told?.length).toBeGreaterThan(Object.values(errorCodes).flat().length);
});

test('every event is on the page, with its fields', () => {
  const fields: { [T in AgentEvent['type']]: Exclude<keyof Extract<AgentEvent, { type: T }>, 'type'>[] } = {
    step_start: ['step', 'description'],
    tool_call: ['toolName', 'input', 'approval'],
    tool_result: ['toolName', 'result'],
    sub_run: ['runId', 'question', 'status'],
    text: ['text'],
    step_complete: ['step'],
    input_required: ['message', 'expected', 'calls'],
    done: ['finalText'],
    error: ['message'],
  };
  const told = rows('### Events').filter(([name]) => unquoted(name) in fields);
  expect(
    Object.fromEntries(told.map(([name, cell]) => [unquoted(name), unquoted(cell).split(', ')])),
  ).toEqual(fields);
});

test('every field of the input of a run is on the page', () => {
  const told = rows('### Creating').map(([name]) => unquoted(name));
  for (const name of Object.keys({ ...createRunSchema.entries, ...createRunForm.entries }))
    expect(told).toContain(name);
});

test('every state of a run, every tool and every ending of a file is on the page', () => {
  const states = rows('### States').map(([name]) => unquoted(name));
  expect(states).toEqual(expect.arrayContaining([...runStatuses]));
  const tools = rows('### Events').map(([name]) => unquoted(name));
  for (const { name } of agentTools({ web: {} } as never)) expect(tools).toContain(name);
  for (const extension of acceptedExtensions()) {
    const { kind, limitBytes } = fileKind(`a${extension}`, { conversionEnabled: true });
    const row = rows('### Creating').find(([name]) => name === kind);
    expect(row?.[1]?.split(' ')).toContain(extension);
    expect(row?.[2]).toContain(`[${limitBytes / 1_000_000} MB](`);
  }
});

function acceptedExtensions(): readonly string[] {
  try {
    fileKind('a.none', { conversionEnabled: true });
  } catch (error) {
    return (error as DomainError<'extension_not_accepted'>).details.accepted;
  }
  throw new Error('every ending is accepted');
}
