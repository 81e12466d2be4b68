import { type RunRecord, readInput } from '@errand/runs';
import { itemIdOf } from '../ids.ts';
import type { RunResponseDeps } from './deps.ts';

/** What a run was asked, as the one message of its user. */
export async function listInputItems(deps: RunResponseDeps, { agentId }: RunRecord): Promise<object> {
  const { agent } = await readInput(deps, agentId);
  const { question, documentUrl, attachment } = agent;
  const id = itemIdOf('msg_input', agentId.replaceAll('-', ''));
  const content = [
    { type: 'input_text', text: question },
    ...(documentUrl === undefined ? [] : [{ type: 'input_file', file_url: documentUrl }]),
    ...(attachment ? [{ type: 'input_file', filename: attachment.filename }] : []),
  ];
  const item = { id, type: 'message', status: 'completed', role: 'user', content };
  return { object: 'list', data: [item], first_id: id, last_id: id, has_more: false };
}
