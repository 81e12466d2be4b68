import { formDataBodySerializer } from './client/index.ts';
import { client } from './client.gen.ts';
import {
  askSystemOne,
  type ChatCompletionEvent,
  type ChatCompletionRequest,
  type CreateRunErrors,
  type CreateRunResponses,
  createChatCompletion,
  createRun,
  getRun,
  type NewRunForm,
  streamRun,
} from './index.ts';

client.setConfig({ baseUrl: process.env.BASE_URL ?? '', auth: process.env.API_KEY ?? '' });

async function chat(): Promise<string> {
  const { data } = await createChatCompletion({
    throwOnError: true,
    body: {
      model: 'writer',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Say hello.' }] },
      ],
      temperature: 0.2,
      max_tokens: 100,
      tools: [{ type: 'function', function: { name: 'look_up', parameters: { type: 'object' } } }],
      tool_choice: 'auto',
      // A parameter of the model's own.
      min_p: 0.1,
    },
  });
  const { message, finish_reason } = data.choices[0] ?? {};
  return `${message?.content} ${finish_reason} ${data.usage.total_tokens} ${data.impact.energy.unit}`;
}

async function streamedChat(): Promise<string> {
  const body: ChatCompletionRequest = {
    model: 'writer',
    messages: [{ role: 'user', content: 'Say hello.' }],
    stream: true,
    stream_options: { include_usage: true },
  };
  const { stream } = await client.sse.post<{ 200: ChatCompletionEvent }>({
    url: '/v1/chat/completions',
    security: [{ scheme: 'bearer', type: 'http' }],
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  let text = '';
  for await (const event of stream) {
    // The last event is `[DONE]`, which is no JSON.
    if (typeof event === 'string') break;
    if ('error' in event) throw new Error(event.error.message);
    for (const { delta } of event.choices) text += delta.content ?? '';
    if (event.usage) text += ` ${event.usage.completion_tokens} ${event.impact?.emissions.unit}`;
  }
  return text;
}

async function form(): Promise<string> {
  const body: NewRunForm = {
    question: 'What is in the file?',
    file: new File(['Sales grew by 4 %.'], 'report.md'),
  };
  const { data } = await client.post<CreateRunResponses, CreateRunErrors, true>({
    throwOnError: true,
    url: '/v1/agents/runs',
    security: [{ scheme: 'bearer', type: 'http' }],
    ...formDataBodySerializer,
    headers: { 'Content-Type': null },
    body,
  });
  return run(data.agentId);
}

async function startedRun(): Promise<string> {
  const { data, response } = await createRun({
    throwOnError: true,
    body: { question: 'What is the answer?', metadata: { ticket: '1' }, tools: [] },
    headers: { 'Idempotency-Key': 'once' },
  });
  if (!response.headers.get('X-Credits-Remaining')) throw new Error('no credits');
  return run(data.agentId);
}

async function run(agentId: string): Promise<string> {
  const { stream } = await streamRun({ path: { agentId } });
  let answer = '';
  for await (const event of stream) {
    // An answer without a body has no events.
    if (!event) continue;
    if (event.type === 'done') answer = event.finalText;
    if (event.type === 'error') throw new Error(event.message);
  }
  const { data } = await getRun({ throwOnError: true, path: { agentId } });
  return `${answer} ${data.status} ${data.usage.credits}`;
}

async function decision(): Promise<string> {
  const { data } = await askSystemOne({
    throwOnError: true,
    body: {
      model: 'judge',
      state: 'The server has been down for an hour.',
      questions: {
        urgent: { type: 'noul', instructions: 'Is this urgent?' },
        team: { type: 'choice', criteria: { billing: null, technical: 'a fault' } },
      },
    },
  });
  const { urgent, team } = data.answers;
  if (urgent?.type !== 'noul' || team?.type !== 'choice') throw new Error('other answers');
  return `${urgent.noul} ${team.choice} ${team.probabilities.technical}`;
}

const answers = {
  chat: await chat(),
  streamedChat: await streamedChat(),
  form: await form(),
  run: await startedRun(),
  decision: await decision(),
};
console.log(JSON.stringify(answers));
