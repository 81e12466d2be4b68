import { beforeAll, expect, test } from 'vitest';
import { deref, describedApp, type OpenApiDocument } from '../support/openapi-document.ts';

/**
 * Parts of requests without a bound of their own, with the reason. Each is bounded by what it comes in: a body by
 * `jsonBodyBytes` and `jsonEntries` (`decisionBodyBytes` for decisions), a head by Node's 16 KB.
 */
const freeForm: Readonly<Record<string, string>> = {
  'NewRunForm.file': 'bytes, which are counted as they arrive',
  'createSkill text/markdown': 'a file whose parts have the bounds of `NewSkill`',
  'getSkill header If-None-Match': 'a list of tags in the head of a request',
  'updateSkill header If-Match': 'a list of tags in the head of a request',
  'deleteSkill header If-Match': 'a list of tags in the head of a request',
  'restoreSkillVersion header If-Match': 'a list of tags in the head of a request',
  'createChatCompletion header If-Match': 'a list of tags in the head of a request',
  'createMessage header If-Match': 'a list of tags in the head of a request',
  'countMessageTokens header If-Match': 'a list of tags in the head of a request',
  'createResponse header If-Match': 'a list of tags in the head of a request',
  'createRun header If-Match': 'a list of tags in the head of a request',
  'streamRun header Last-Event-ID': 'read up to the largest whole number',

  'ChatCompletionRequest map': 'fields of the model, of which `completionParameters` pass',
  'ChatCompletionRequest.messages': 'what the model reads, and is charged',
  'ChatCompletionRequest.stream_options': 'passes to the model as it was sent',
  'ChatCompletionRequest.stop': 'passes to the model as it was sent',
  'ChatCompletionRequest.logit_bias': 'passes to the model as it was sent',
  'ChatCompletionRequest.tools': 'what the model reads, and is charged',
  'ChatCompletionRequest.tool_choice': 'passes to the model as it was sent',
  'ChatCompletionRequest.response_format': 'passes to the model as it was sent',
  'ChatCompletionRequest.reasoning_effort': 'passes to the model as it was sent',

  'NewRun.functions[].parameters': 'at most `functionDefinitionsBytes` in all, which the model reads',
  'NewRun.outputSchema': 'at most `outputSchemaBytes`, which the model reads',
  'NewAgent.outputSchema': 'at most `outputSchemaBytes`, which the model reads',
  'AgentPatch.outputSchema': 'at most `outputSchemaBytes`, which the model reads',
  'NewSchedule.functions[].parameters': 'at most `functionDefinitionsBytes` in all, which the model reads',
  'NewSchedule.outputSchema': 'at most `outputSchemaBytes`, which the model reads',
  'SchedulePatch.functions[].parameters': 'at most `functionDefinitionsBytes` in all, which the model reads',
  'SchedulePatch.outputSchema': 'at most `outputSchemaBytes`, which the model reads',

  'EmbeddingRequest.input': 'what the model reads, and is charged',

  'ResponseRequest map': 'a field that is not known is refused',
  'ResponseRequest.input': 'what the model reads, and is charged; the rest of it is at most `unreadBytes`',
  'ResponseRequest.instructions': 'what the model reads, and is charged',
  'ResponseRequest.tools': 'what the model reads, and is charged; the rest of it is at most `unreadBytes`',
  'ResponseRequest.tool_choice': 'at most `unreadBytes` beside what the model reads',
  'ResponseRequest.text map': 'a field that is not known is refused',
  'ResponseRequest.text.format': 'what the model reads; the rest of it is at most `unreadBytes`',
  'ResponseRequest.reasoning map': 'a field that is not known is refused',

  'MessageRequest map': 'passes to providers that speak the protocol as it was sent, and reaches nobody else',
  'MessageRequest.messages': 'what the model reads, and is charged',
  'MessageRequest.system': 'what the model reads, and is charged',
  'MessageRequest.tools': 'what the model reads, and is charged',
  'MessageRequest.tool_choice': 'reaches the model as it was sent, or a part of it that has names alone',
  'MessageRequest.thinking': 'passes to providers that speak the protocol as it was sent',
  'MessageRequest.output_config': 'passes to providers that speak the protocol; the model reads its schema',
  'MessageRequest.stop_sequences': 'passes to the model as it was sent',
  'MessageRequest.metadata map': 'passes to providers that speak the protocol as it was sent',
  'MessageCountRequest map':
    'passes to providers that speak the protocol as it was sent, and reaches nobody else',
  'MessageCountRequest.messages': 'what the model reads, and is charged',
  'MessageCountRequest.system': 'what the model reads, and is charged',
  'MessageCountRequest.tools': 'what the model reads, and is charged',
  'MessageCountRequest.tool_choice': 'reaches the model as it was sent, or a part of it that has names alone',
  'MessageCountRequest.thinking': 'passes to providers that speak the protocol as it was sent',
  'MessageCountRequest.output_config':
    'passes to providers that speak the protocol; the model reads its schema',

  'McpRequest.params.arguments.*': 'arguments of a tool are checked by the schema of the tool',

  'DecisionRequest.state': 'what the model judges',
  'NoulQuestion.instructions': 'what the model judges',
  'NoulQuestion.criteria': 'what the model judges',
  'ChoiceQuestion.instructions': 'what the model judges',
  'ChoiceQuestion.criteria': 'what the model judges',
  'ScoreQuestion.instructions': 'what the model judges',
  'ScoreQuestion.criteria': 'what the model judges',
  'OpenAiDecisionRequest.input': 'what the model judges',
  'PredicateQuestion.instructions': 'what the model judges',
  'PredicateQuestion.name': 'what the answer repeats once',
  'OpenAiChoiceQuestion.instructions': 'what the model judges',
  'OpenAiChoiceQuestion.name': 'what the answer repeats once',
  'OpenAiChoiceQuestion.choices[].value': 'what the model judges, and the answer repeats once',
  'OpenAiChoiceQuestion.choices[].description': 'what the model judges',
  'OpenAiScoreQuestion.instructions': 'what the model judges',
  'OpenAiScoreQuestion.name': 'what the answer repeats once',
  'OpenAiScoreQuestion.levels[].label': 'what the model judges, and the answer repeats once',
  'OpenAiScoreQuestion.levels[].description': 'what the model judges',
  'OpenAiDecisionRequest.prompt_cache_key': 'is ignored',
  'OpenAiDecisionRequest.prompt_cache_options': 'is ignored',
  'OpenAiDecisionRequest.safety_identifier': 'is ignored',
};

interface Schema {
  [keyword: string]: unknown;
}

let document: OpenApiDocument;

beforeAll(async () => {
  ({ document } = await describedApp());
});

/** The places in a schema without a bound. A named schema is a place by its name. */
function unbounded(schema: Schema, at: string, used: Set<string>, seen: readonly string[] = []): string[] {
  if (at in freeForm) {
    used.add(at);
    return [];
  }
  const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
  if (name !== undefined)
    return seen.includes(name) ? [] : unbounded(deref(document, schema), name, used, [...seen, name]);
  if ('enum' in schema || 'const' in schema) return [];
  const inside = (part: unknown, place: string): string[] =>
    typeof part === 'object' && part !== null ? unbounded(part as Schema, place, used, seen) : [];
  const { properties = {}, additionalProperties } = schema;
  const isMap = Boolean(additionalProperties) && schema.maxProperties === undefined;
  const own = missing(schema).map((what) => `${at} ${what}`);
  if (isMap && !isFree(`${at} map`, used)) own.push(`${at} map`);
  return [
    ...own,
    ...inside(schema.items, `${at}[]`),
    ...inside(additionalProperties, `${at}.*`),
    ...Object.entries(properties as object).flatMap(([field, part]) => inside(part, `${at}.${field}`)),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((keyword) =>
      ((schema[keyword] ?? []) as unknown[]).flatMap((part) => inside(part, at)),
    ),
  ];
}

function isFree(place: string, used: Set<string>): boolean {
  used.add(place);
  return place in freeForm;
}

/** A `pattern` without repetition to any length is a bound, too. */
function missing({ type, maxLength, maxItems, pattern, format, ...schema }: Schema): string[] {
  const types = [type].flat();
  const isBounded = maxLength !== undefined || format === 'date-time' || isBoundedPattern(pattern);
  return [
    ...(types.includes('string') && !isBounded ? ['string'] : []),
    ...(types.includes('array') && maxItems === undefined ? ['list'] : []),
    ...(type === undefined && !['anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)
      ? ['anything']
      : []),
  ];
}

const isBoundedPattern = (pattern: unknown): boolean =>
  typeof pattern === 'string' &&
  /^\^.*\$$/.test(pattern) &&
  !/[*+]|,\}/.test(pattern.replaceAll(/\(\?!.*?\)|\[[^\]]*\](?![*+])|\\.(?![*+])/g, ''));

function unboundedRequests(): { found: string[]; used: Set<string> } {
  const used = new Set<string>();
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const found = operations.flatMap(({ operationId, parameters = [], requestBody }) => [
    ...parameters.flatMap(({ name, in: place, schema }) =>
      unbounded(schema, `${operationId} ${place} ${name}`, used),
    ),
    ...Object.entries(requestBody?.content ?? {}).flatMap(([type, { schema }]) =>
      unbounded(schema, `${operationId} ${type}`, used),
    ),
  ]);
  return { found: [...new Set(found)], used };
}

test('every text, list and map of a request has a bound, or is listed with the reason why it has none', () => {
  const { found, used } = unboundedRequests();
  expect(found).toEqual([]);
  expect(Object.keys(freeForm).filter((place) => !used.has(place))).toEqual([]);
});

test.each<[string, Schema]>([
  ['string', { type: 'string' }],
  ['string', { type: 'string', pattern: '^a+$' }],
  ['list', { type: 'array', items: { type: 'number' } }],
  ['map', { type: 'object', additionalProperties: true }],
  ['anything', {}],
])('a %s without a bound is found at any depth', (what, schema) => {
  const inner = { anyOf: [{ type: 'null' }, { type: 'object', properties: { inner: schema } }] };
  expect(unbounded(inner, 'Thing', new Set())).toEqual([`Thing.inner ${what}`]);
});
