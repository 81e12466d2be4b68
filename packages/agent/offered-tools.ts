import * as v from 'valibot';
import type { Acting, Thinking } from './state.ts';
import { defineTool, type Tool } from './tool.ts';

/**
 * The tool with whose call the final check leaves the answer as it is. The tool is never run, and readers see no
 * event of it.
 */
const confirmAnswer = defineTool({
  name: 'confirm_answer',
  description: 'Confirms that the answer is complete and is sent as it stands.',
  parameters: v.object({}),
  timeoutMilliseconds: 1_000,
  sends: 'nothing',
  run: async () => 'The answer is sent as it stands.',
});

export const isConfirmation = (name: string): boolean => name === confirmAnswer.name;

/** The tools that the model may call now. Once there is an answer it is confirmed or mended, and no input is asked for. */
export const offeredTools = (tools: readonly Tool[], state: Thinking | Acting): readonly Tool[] =>
  state.part === 'check' && state.answer.trim() !== ''
    ? [...tools.filter(({ name }) => name !== 'request_input'), confirmAnswer]
    : tools;
