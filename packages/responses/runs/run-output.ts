import type { AgentEvent, Citation, TerminalEvent } from '@errand/agent';
import { createItemList } from '../answer/item-list.ts';
import type { Emit, OutputItem } from '../answer/items.ts';
import { createTextWriter } from '../answer/text-items.ts';
import { tellAsked } from './asked-items.ts';
import { createToolWriter } from './tool-items.ts';

type InputRequired = Extract<TerminalEvent, { type: 'input_required' }>;

/** The fields that are asked for beside the answers to calls. */
export const otherFields = ({ expected }: InputRequired): InputRequired['expected'] =>
  expected.filter(({ name }) => name !== 'functionResults' && name !== 'approvals');

/** What a run does and says, as the output of a response. */
interface RunOutput {
  items: readonly OutputItem[];
  /** Adds the next event of the run. `citations` are those of its answer. */
  add(event: AgentEvent, citations?: readonly Citation[]): void;
}

/**
 * Tells by `emit` of everything that is added. The same events are always told in the same way: readers resume by their
 * numbers. `key` is that of the response. Clients read each text of an answer that is a value as JSON, and some read no part of a message but texts: what else
 * is said is told as reasoning then.
 */
export function createRunOutput(key: string, emit: Emit, isValue = false): RunOutput {
  const list = createItemList(key);
  const text = createTextWriter(list.beginText, emit);
  const tools = createToolWriter(list, emit);
  /** What the model said last. A run tells its answer at least twice, and only its end tells which text it was. */
  let said = '';
  const tellRemark = () => {
    if (said !== '') text.write({ type: 'reasoning_text', text: said }, []);
    text.close('completed');
    said = '';
  };
  const tellAside = (message: string) => {
    if (said !== message) tellRemark();
    said = message;
    tellRemark();
  };
  const tellAnswer = (answer: string, citations: readonly Citation[] = []) => {
    if (said !== answer) tellRemark();
    text.write({ type: 'output_text', text: answer }, []);
    text.cite(citations.map(toAnnotation));
    text.close('completed');
  };
  return {
    items: list.items,
    add(event, citations) {
      switch (event.type) {
        case 'text':
          if (event.text !== said) tellRemark();
          said = event.text;
          break;
        case 'tool_call':
          tellRemark();
          tools.call(event);
          break;
        case 'tool_result':
          tools.answer(event.result);
          break;
        case 'done':
          tellAnswer(event.finalText, citations);
          break;
        case 'input_required':
          // What is said to the caller is in the calls, where nothing else is asked for.
          if (event.calls && otherFields(event).length === 0) tellRemark();
          else if (isValue) tellAside(event.message);
          else tellAnswer(event.message);
          tellAsked(list, emit, key, event.calls ?? []);
          break;
        case 'error':
          tellRemark();
          tools.close();
      }
    },
  };
}

/** The claim that is cited is at `start_index` to `end_index`. No id is known of a file but its name. */
function toAnnotation({ startIndex, endIndex, ...citation }: Citation): object {
  const place = { start_index: startIndex, end_index: endIndex };
  if (citation.type === 'url_citation') return { ...citation, ...place };
  return { ...citation, file_id: citation.filename, index: endIndex, ...place };
}
