import { type RunRecord, readInput } from '@errand/runs';
import { itemIdOf } from '../ids.ts';
import type { Item } from '../request/schema.ts';
import type { RunResponseDeps } from './deps.ts';

/** What a run was asked, as the one message of its user. */
export async function readInputItem(deps: RunResponseDeps, { agentId }: RunRecord): Promise<Item> {
  const { agent } = await readInput(deps, agentId);
  const { question, documentUrl, attachment } = agent;
  const id = itemIdOf('msg_input', agentId.replaceAll('-', ''));
  const content = [
    { type: 'input_text', text: question },
    ...(documentUrl === undefined ? [] : [{ type: 'input_file', file_url: documentUrl }]),
    ...(attachment ? [{ type: 'input_file', filename: attachment.filename }] : []),
  ];
  return { id, type: 'message', status: 'completed', role: 'user', content };
}
