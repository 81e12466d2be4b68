import { beforeAll, expect, test } from 'vitest';
import { type DescribedApp, describedApp, type OpenApiDocument } from '../support/openapi-document.ts';

let routes: DescribedApp['routes'];
let document: OpenApiDocument;

beforeAll(async () => {
  ({ routes, document } = await describedApp());
});

const toTemplate = (route: string) => route.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}');

const operations = () =>
  Object.entries(document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route, method, operation })),
  );

test('every route is in the OpenAPI document', () => {
  const missing = routes.filter(
    ({ method, path: route }) => !document.paths[toTemplate(route)]?.[method.toLowerCase()],
  );
  expect(missing.map(({ method, path: route }) => `${method} ${route}`)).toEqual([]);
  expect(routes.length).toBeGreaterThan(20);
});

test('every route of the document is served', () => {
  const served = new Set(
    routes.map(({ method, path: route }) => `${method.toLowerCase()} ${toTemplate(route)}`),
  );
  for (const { route, method } of operations()) expect(served).toContain(`${method} ${route}`);
});

test('operations keep their names, which generated clients have as functions', () => {
  const names = operations().map(({ route, method, operation }) => [
    `${method.toUpperCase()} ${route}`,
    operation.operationId,
  ]);
  expect(Object.fromEntries(names)).toMatchInlineSnapshot(`
    {
      "DELETE /v1/agents/runs/{agentId}": "deleteRun",
      "DELETE /v1/agents/{name}": "deleteAgent",
      "DELETE /v1/responses/{id}": "deleteResponse",
      "DELETE /v1/schedules/{id}": "deleteSchedule",
      "DELETE /v1/skills/{id}": "deleteSkill",
      "DELETE /v1/values/{name}": "deleteValue",
      "DELETE /v1/webhooks/{id}": "deleteWebhook",
      "GET /healthz": "getHealth",
      "GET /livez": "getLiveness",
      "GET /openapi.json": "getOpenApi",
      "GET /v1/agents": "listAgents",
      "GET /v1/agents/runs": "listRuns",
      "GET /v1/agents/runs/{agentId}": "getRun",
      "GET /v1/agents/runs/{agentId}/events": "listRunEvents",
      "GET /v1/agents/runs/{agentId}/stream": "streamRun",
      "GET /v1/agents/servers": "listServers",
      "GET /v1/agents/{name}": "getAgent",
      "GET /v1/agents/{name}/versions": "listAgentVersions",
      "GET /v1/agents/{name}/versions/{number}": "getAgentVersion",
      "GET /v1/credits": "getCredits",
      "GET /v1/credits/entries": "listCreditEntries",
      "GET /v1/files/{agentId}/{name}": "downloadFile",
      "GET /v1/models": "listModels",
      "GET /v1/models/{model}": "getModel",
      "GET /v1/pricing": "listPrices",
      "GET /v1/pricing/{model}": "getPrice",
      "GET /v1/responses/{id}": "getResponse",
      "GET /v1/responses/{id}/input_items": "listInputItems",
      "GET /v1/schedules": "listSchedules",
      "GET /v1/schedules/{id}": "getSchedule",
      "GET /v1/skills": "listSkills",
      "GET /v1/skills/{id}": "getSkill",
      "GET /v1/skills/{id}/versions": "listSkillVersions",
      "GET /v1/skills/{id}/versions/{number}": "getSkillVersion",
      "GET /v1/usage": "reportUsage",
      "GET /v1/values": "listValues",
      "GET /v1/values/{name}": "getValue",
      "GET /v1/webhooks": "listWebhooks",
      "GET /v1/webhooks/{id}": "getWebhook",
      "GET /v1/webhooks/{id}/deliveries": "listWebhookDeliveries",
      "PATCH /v1/agents/{name}": "updateAgent",
      "PATCH /v1/schedules/{id}": "updateSchedule",
      "PATCH /v1/skills/{id}": "updateSkill",
      "PATCH /v1/webhooks/{id}": "updateWebhook",
      "POST /mcp": "callMcp",
      "POST /v1/agents": "createAgent",
      "POST /v1/agents/runs": "createRun",
      "POST /v1/agents/runs/{agentId}/cancel": "cancelRun",
      "POST /v1/agents/{name}/versions/{number}/restore": "restoreAgentVersion",
      "POST /v1/chat/completions": "createChatCompletion",
      "POST /v1/decisions": "createDecision",
      "POST /v1/embeddings": "createEmbeddings",
      "POST /v1/messages": "createMessage",
      "POST /v1/messages/count_tokens": "countMessageTokens",
      "POST /v1/responses": "createResponse",
      "POST /v1/responses/{id}/cancel": "cancelResponse",
      "POST /v1/schedules": "createSchedule",
      "POST /v1/schedules/{id}/run": "runSchedule",
      "POST /v1/skills": "createSkill",
      "POST /v1/skills/{id}/versions/{number}/restore": "restoreSkillVersion",
      "POST /v1/systemone": "askSystemOne",
      "POST /v1/uploads": "createUpload",
      "POST /v1/webhooks": "createWebhook",
      "POST /v1/webhooks/{id}/deliveries/{delivery}/redeliver": "redeliverWebhook",
      "POST /v1/webhooks/{id}/rotate": "rotateWebhook",
      "POST /v1/webhooks/{id}/test": "testWebhook",
    }
  `);
});

test('only health, the document, links to files and the listing of agents need no key', () => {
  const open = operations().filter(
    ({ operation }) => JSON.stringify(operation.security) !== '[{"key":[]},{"apiKey":[]}]',
  );
  expect(open.map(({ operation }) => [operation.operationId, operation.security])).toEqual([
    ['listAgents', [{}, { key: [] }, { apiKey: [] }]],
    ['downloadFile', []],
    ['getHealth', []],
    ['getLiveness', []],
    ['getOpenApi', []],
  ]);
});

test('a form has its file as bytes, and lists are described as JSON Schema of 2020 has them', () => {
  const form = document.components.schemas.NewRunForm as { properties: Record<string, object> };
  expect(form.properties.file).toMatchObject({
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
  });
  expect(JSON.stringify(document)).not.toContain('"items":[');
});

test('no property is without a type', () => {
  // A valibot schema that JSON Schema cannot say becomes `{}`.
  const empty = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
    Object.entries((properties ?? {}) as Record<string, object>)
      .filter(([, schema]) => Object.keys(schema).length === 0)
      .map(([property]) => `${name}.${property}`),
  );
  expect(empty).toEqual([]);
});
