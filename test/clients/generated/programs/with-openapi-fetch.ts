import { EventSourceParserStream } from 'eventsource-parser/stream';
import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type ChatEvent = components['schemas']['ChatCompletionEvent'];
type RunEvent = components['schemas']['RunEvent'];

const baseUrl = process.env.BASE_URL ?? '';
const headers = { Authorization: `Bearer ${process.env.API_KEY ?? ''}` };
const client = createClient<paths, 'application/json'>({ baseUrl, headers });
const forms = createClient<paths>({ baseUrl, headers });
const streams = createClient<paths, 'text/event-stream'>({ baseUrl, headers });

async function chat(): Promise<string> {
  const { data, error } = await client.POST('/v1/chat/completions', {
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
  if (!data) throw new Error(JSON.stringify(error));
  const { message, finish_reason } = data.choices[0] ?? {};
  return `${message?.content} ${finish_reason} ${data.usage.total_tokens} ${data.impact.energy.unit}`;
}

async function* read<T>(
  stream: ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined,
): AsyncGenerator<T> {
  if (!stream) throw new Error('no stream');
  const events = stream.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const { data } of events) {
    if (data === '[DONE]') return;
    const event: T = JSON.parse(data);
    yield event;
  }
}

async function streamedChat(): Promise<string> {
  const { data } = await streams.POST('/v1/chat/completions', {
    body: {
      model: 'writer',
      messages: [{ role: 'user', content: 'Say hello.' }],
      stream: true,
      stream_options: { include_usage: true },
    },
    parseAs: 'stream',
  });
  let text = '';
  for await (const event of read<ChatEvent>(data)) {
    if ('error' in event) throw new Error(event.error.message);
    for (const { delta } of event.choices) text += delta.content ?? '';
    if (event.usage) text += ` ${event.usage.completion_tokens} ${event.impact?.emissions.unit}`;
  }
  return text;
}

async function form(): Promise<string> {
  const { data, error } = await forms.POST('/v1/agents/runs', {
    body: {
      question: 'What is in the file?',
      file: new File(['Sales grew by 4 %.'], 'report.md'),
    },
    bodySerializer(body) {
      const fields = new FormData();
      for (const [name, value] of Object.entries(body))
        if (typeof value === 'string' || value instanceof Blob) fields.append(name, value);
      return fields;
    },
  });
  if (!data) throw new Error(JSON.stringify(error));
  return run(data.agentId);
}

async function startedRun(): Promise<string> {
  const { data, error, response } = await client.POST('/v1/agents/runs', {
    body: { question: 'What is the answer?', metadata: { ticket: '1' }, tools: [] },
    params: { header: { 'Idempotency-Key': 'once' } },
  });
  if (!data) throw new Error(JSON.stringify(error));
  if (!response.headers.get('X-Credits-Remaining')) throw new Error('no credits');
  return run(data.agentId);
}

async function run(agentId: string): Promise<string> {
  const params = { path: { agentId } };
  const { data } = await streams.GET('/v1/agents/runs/{agentId}/stream', { params, parseAs: 'stream' });
  let answer = '';
  for await (const event of read<RunEvent>(data)) {
    if (event.type === 'done') answer = event.finalText;
    if (event.type === 'error') throw new Error(event.message);
  }
  const { data: ended } = await client.GET('/v1/agents/runs/{agentId}', { params });
  return `${answer} ${ended?.status} ${ended?.usage.credits}`;
}

async function decision(): Promise<string> {
  const { data, error } = await client.POST('/v1/systemone', {
    body: {
      model: 'judge',
      state: 'The server has been down for an hour.',
      questions: {
        urgent: { type: 'noul', instructions: 'Is this urgent?' },
        team: { type: 'choice', criteria: { billing: null, technical: 'a fault' } },
      },
    },
  });
  if (!data) throw new Error(JSON.stringify(error));
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
