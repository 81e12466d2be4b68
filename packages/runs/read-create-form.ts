import { DomainError, type HttpEnv, type Issue, issuesOf } from '@errand/platform';
import { parseSkillFormField } from '@errand/skills';
import { fieldIssue, type ReceivedForm, receiveForm, type UploadDeps } from '@errand/uploads';
import type { Context } from 'hono';
import * as v from 'valibot';
import { type CreateRunBody, createRunSchema } from './schema.ts';

const formSchema = v.omit(createRunSchema, ['uploadId']);
const fieldNames = Object.keys(formSchema.entries);

/**
 * Reads a request that came as a multipart form, and stores its file in the bucket. If this throws, nothing is stored.
 * With `digest`, forms whose files differ in content alone have different texts.
 */
export const readCreateForm = (
  deps: UploadDeps,
  c: Pick<Context<HttpEnv>, 'env' | 'req'>,
  { digest }: { digest: boolean },
): Promise<ReceivedForm<CreateRunBody>> => receiveForm(deps, c, { fieldNames, read: readFields, digest });

function readFields(fields: ReadonlyMap<string, string>, hasFile: boolean): CreateRunBody {
  const issues: Issue[] = [];
  const input: Record<string, unknown> = Object.fromEntries(fields);
  const { skills, metadata } = input;
  if (typeof skills === 'string') input.skills = parseSkillFormField(skills);
  if (typeof metadata === 'string') input.metadata = parseMetadata(metadata);
  const parsed = v.safeParse(formSchema, input);
  if (!parsed.success) issues.push(...issuesOf(parsed.issues));
  if (!hasFile) issues.push({ field: 'file', problem: 'is required' });
  if (!parsed.success || issues.length > 0) throw new DomainError('invalid_request', { issues });
  return parsed.output;
}

function parseMetadata(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw fieldIssue('metadata', 'must be JSON');
  }
}
