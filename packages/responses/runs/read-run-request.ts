import { DomainError, validate } from '@errand/platform';
import { type CreateRunBody, createRunSchema } from '@errand/runs';
import type { ResponsesRequest } from '../request/schema.ts';
import { agentModel } from './agent-model.ts';
import type { Attached } from './attached.ts';
import { readQuestion } from './question.ts';
import { refuseRunFields } from './refuse-fields.ts';
import { toRunServers } from './remote-servers.ts';
import { toRunTools } from './tools.ts';

/** The run that a request asks for, and its file if the request has the bytes. Throws `DomainError`. */
export function readRunRequest(request: ResponsesRequest): { body: CreateRunBody; file?: Attached['file'] } {
  const { model, metadata, tools } = request;
  if (model !== agentModel) throw new DomainError('model_not_found', { model });
  refuseRunFields(request);
  const { question, attached } = readQuestion(request);
  const body = validate(createRunSchema, {
    question,
    ...attached.fields,
    ...(metadata && { metadata }),
    ...(tools && tools.length > 0 && { tools: toRunTools(tools), mcp: toRunServers(tools) }),
    ...('skills' in request && { skills: request.skills }),
  });
  return { body, ...(attached.file && { file: attached.file }) };
}
