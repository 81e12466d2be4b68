import {
  fieldRule,
  foldName,
  type Model,
  type ModelUpstream,
  toMessageBody,
  toolTypes,
} from '@errand/models';
import { fieldIssue, limits } from '@errand/platform';
import type { Answering } from './dialect.ts';
import { type ChatRequestBody, chatRequest, marks } from './schema.ts';
import { readKeys, readValue, repeatsField } from './upstream-body.ts';

/** Fields that are read here. Servers that ignore the case of letters could read another spelling as well. */
const readFields: ReadonlySet<string> = new Set([
  ...Object.keys(chatRequest.entries).filter((name) => !Object.hasOwn(marks, name)),
  ...['tools', 'extra_body'],
]);

/**
 * Refuses fields that would make the request cost something else than the catalogue says. A field is refused if the rules
 * of one of the model's upstreams refuse it: whether a request is served must not depend on which of them answers.
 */
export function checkFields(model: Model, bytes: Buffer, body: ChatRequestBody): void {
  const names = Object.keys(body);
  const most = limits.completionParameters;
  if (names.length > most) throw fieldIssue('', `The request must have at most ${most} parameters.`);
  for (const name of names) {
    const folded = foldName(name);
    if (folded !== name && readFields.has(folded)) throw fieldIssue(name, `must be written ${folded}`);
    if (asksForNothing(body[name]) || (folded === 'modalities' && isTextOnly(body[name]))) continue;
    if (isRefused(model, name)) throw fieldIssue(name, 'is not accepted by this model');
  }
  if (body.extra_body !== undefined) checkExtraBody(model, bytes);
  if (!asksForNothing(body.tools ?? null) && isRefused(model, toolTypes)) checkToolTypes(bytes, body.tools);
  checkMost('n', body.n, model.maxChoices ?? limits.choicesPerCompletion);
  const mostTokens = model.maxOutputTokens ?? model.contextTokens ?? Number.MAX_SAFE_INTEGER;
  checkMost('max_tokens', body.max_tokens, mostTokens);
  checkMost('max_completion_tokens', body.max_completion_tokens, mostTokens);
}

const asksForNothing = (value: unknown): boolean => value === null || value === false;

/** Some clients ask for what they get anyway. */
const isTextOnly = (modalities: unknown): boolean =>
  Array.isArray(modalities) && modalities.every((each) => each === 'text');

const rulesOf = ({ upstream, fallbacks }: Model, name: string) =>
  [upstream, ...fallbacks].map((each) => fieldRule(each, name));

const isRefused = (model: Model, name: string): boolean => rulesOf(model, name).includes('refuse');

/** Some servers read what is in `extra_body` as if it stood beside it. */
function checkExtraBody(model: Model, bytes: Buffer): void {
  for (const name of readKeys(readValue(bytes, 'extra_body')!)) {
    const passes = rulesOf(model, name).every((rule) => rule === 'pass');
    if (readFields.has(foldName(name)) || !passes)
      throw fieldIssue(`extra_body.${name}`, 'is not accepted by this model');
  }
}

/** A tool that the provider runs itself costs more than its tokens. */
function checkToolTypes(bytes: Buffer, tools: unknown): void {
  if (!Array.isArray(tools)) throw fieldIssue('tools', 'must be a list of tools');
  const written = readValue(bytes, 'tools');
  if (written && repeatsField(written, tools)) throw fieldIssue('tools', 'has a field twice');
  for (const [index, tool] of tools.entries()) {
    const { type, function: callers } = (tool ?? {}) as { type?: unknown; function?: unknown };
    const isCallers = type === 'function' || type === 'custom' || (type === undefined && callers);
    if (!isCallers) throw fieldIssue(`tools[${index}].type`, 'must be function or custom');
    const other = Object.keys(tool as object).find((name) => name !== 'type' && foldName(name) === 'type');
    if (other !== undefined) throw fieldIssue(`tools[${index}].${other}`, 'must be written type');
  }
}

function checkMost(field: string, value: number | null | undefined, most: number): void {
  if ((value ?? 0) > most) throw fieldIssue(field, `must be at most ${most} for this model`);
}

/** The fields of a request that an upstream does not get, as entries to remove. */
export function droppedFields(upstream: ModelUpstream, body: ChatRequestBody): Record<string, undefined> {
  const names = Object.keys(body).filter((name) => fieldRule(upstream, name) === 'drop');
  return Object.fromEntries(names.map((name) => [name, undefined]));
}

/**
 * Refuses what cannot be said to an upstream that has Anthropic's Messages alone, if one of the model's upstreams is one and
 * the caller does not speak its protocol.
 */
export function checkTranslation(
  { upstream, fallbacks }: Model,
  body: ChatRequestBody,
  { native }: Pick<Answering, 'native'>,
): void {
  if (native?.api === 'messages') return;
  for (const each of [upstream, ...fallbacks])
    if (each.api === 'messages') toMessageBody({ ...body, ...droppedFields(each, body) }, { maxTokens: 1 });
}
