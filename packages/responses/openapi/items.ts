import { described, named, textField } from '@errand/platform';
import * as v from 'valibot';

const status = described(
  'Whether it is being written, is whole, or was cut.',
  v.optional(v.picklist(['in_progress', 'completed', 'incomplete'])),
);
const id = textField('The id of the item.');
const callId = textField('By this id the output of the call goes back.');
const name = textField('The tool that is called.');
const namespace = v.optional(textField('The namespace of the tool, if it has one.'));

export const contentPart = named(
  'ResponseContentPart',
  described(
    'A part of a message or of reasoning.',
    v.variant('type', [
      v.looseObject({
        type: v.literal('output_text'),
        text: textField('The text.'),
        annotations: described('What the text cites.', v.array(v.looseObject({ type: v.string() }))),
        logprobs: described(
          'Tokens with their probabilities, if they were asked for.',
          v.optional(v.array(v.looseObject({}))),
        ),
      }),
      v.looseObject({ type: v.literal('refusal'), refusal: textField('Why the model does not answer.') }),
      v.looseObject({ type: v.literal('reasoning_text'), text: textField('What the model thought.') }),
    ]),
  ),
);

const message = v.looseObject({
  type: v.literal('message'),
  id,
  status,
  role: described('Who speaks.', v.literal('assistant')),
  content: described('What is said.', v.array(contentPart)),
});

const reasoning = v.looseObject({
  type: v.literal('reasoning'),
  id,
  status,
  summary: described('What is told of it; empty where the text is there.', v.array(v.looseObject({}))),
  content: v.optional(described('What was thought.', v.array(contentPart))),
});

const functionCall = v.looseObject({
  type: v.literal('function_call'),
  id,
  status,
  call_id: callId,
  name,
  namespace,
  arguments: textField('The JSON of its arguments, as the model wrote it.'),
});

const customCall = v.looseObject({
  type: v.literal('custom_tool_call'),
  id,
  status,
  call_id: callId,
  name,
  namespace,
  input: textField('What the tool is given.'),
  output: v.optional(textField("What a run's own tool answered. A failure begins with `Error:`.")),
});

const mcpCall = v.looseObject({
  type: v.literal('mcp_call'),
  id,
  status: described(
    "How far the call of a server's tool is.",
    v.picklist(['in_progress', 'completed', 'incomplete', 'failed']),
  ),
  server_label: textField('The label of the server.'),
  name: textField("The tool, by the server's name of it."),
  arguments: textField('The JSON of its arguments, as the model wrote it.'),
  output: described('What the tool answered.', v.nullish(v.string())),
  error: described(
    'Why the call failed.',
    v.nullish(
      v.looseObject({
        type: described('What has failed.', v.literal('mcp_tool_execution_error')),
        content: described('What was said of it.', v.array(v.looseObject({}))),
      }),
    ),
  ),
});

const approvalRequest = v.looseObject({
  type: v.literal('mcp_approval_request'),
  id: textField('What `approval_request_id` of an `mcp_approval_response` names.'),
  server_label: textField("The label of the server; empty for a tool of the run's own."),
  name: textField("The tool, by the server's name of it."),
  arguments: textField('The JSON of its arguments, as the model wrote it.'),
});

const webSearch = v.looseObject({
  type: v.literal('web_search_call'),
  id,
  status: described('How far the search of a run is.', v.picklist(['in_progress', 'completed', 'failed'])),
  action: described(
    'What was searched for.',
    v.looseObject({
      type: v.literal('search'),
      query: textField('The first of the queries.'),
      queries: described('All of them.', v.array(v.string())),
      sources: v.optional(
        described(
          'What was found.',
          v.array(
            v.looseObject({
              type: v.literal('url'),
              url: textField('The address.'),
              title: textField('Its title.'),
            }),
          ),
        ),
      ),
    }),
  ),
});

export const outputItem = named(
  'ResponseOutputItem',
  described(
    'What the model said, thought or called.',
    v.variant('type', [
      named('ResponseMessage', message),
      named('ResponseReasoning', reasoning),
      named('ResponseFunctionCall', functionCall),
      named('ResponseCustomToolCall', customCall),
      named('ResponseMcpCall', mcpCall),
      named('ResponseMcpApprovalRequest', approvalRequest),
      named('ResponseWebSearchCall', webSearch),
    ]),
  ),
);
