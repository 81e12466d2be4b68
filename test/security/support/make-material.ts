import { randomUUID } from 'node:crypto';
import { deref, type OpenApiDocument, type Reference } from '../../support/openapi-document.ts';
import type { Material, OpenApi } from './fuzz-requests.ts';

interface Asking {
  baseUrl: string;
  keys: readonly string[];
}

const ofEach = 6;

/** Makes runs and skills for each key, so that random requests meet things that exist. */
export async function makeMaterial({ baseUrl, keys }: Asking): Promise<Material> {
  const runs: string[] = [];
  const skills: string[] = [];
  const name = `brief-${randomUUID()}`;
  for (const key of keys) {
    const post = async (path: string, body: object): Promise<Record<string, string>> => {
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
      const response = await fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as Record<string, string>;
    };
    for (let i = 0; i < ofEach; i++) {
      runs.push((await post('/v1/agents/runs', { question: 'What is the tide?' })).agentId ?? '');
      skills.push((await post('/v1/skills', { name: `${name}-${i}`, instructions: 'Be brief.' })).id ?? '');
    }
  }
  const models = (await (
    await fetch(`${baseUrl}/v1/models`, { headers: { Authorization: `Bearer ${keys[0]}` } })
  ).json()) as { data: { id: string }[] };
  return { keys, runs, skills, names: [`${name}-0`, 'tide', '1'], models: models.data.map(({ id }) => id) };
}

/** The service's document, with the parts that it refers to in place of each reference. */
export async function readOpenApi(baseUrl: string): Promise<OpenApi> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as OpenApiDocument;
  return inline(document, document) as unknown as OpenApi;
}

function inline(document: OpenApiDocument, part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map((entry) => inline(document, entry));
  if ('$ref' in part) return inline(document, deref<object>(document, part as Reference));
  return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, inline(document, value)]));
}
