import { createHash } from 'node:crypto';
import { type StandIns, startStandIns } from '@errand/stand-ins';
import { investigate } from '../../support/investigating-model.ts';
import {
  type ChatRequest,
  type Provider,
  type ScriptedAnswer,
  startProvider,
} from '../../support/model-server.ts';
import { simpleCatalogue } from '../../support/service.ts';

/** What a completion of 100 tokens of input and 10 of output costs. */
export const nanoEuroOf = { completion: 120_000, vision: 340_000 };

/** What is over 32 KiB when it is compressed lies in the bucket, so that this text must not become shorter by that. It is always the same. */
const longText = Array.from({ length: 1_400 }, (_, i) =>
  createHash('sha256').update(String(i)).digest('base64url'),
).join(' ');

/** The questions of the fixture's runs. The word in brackets tells the models which run asks. */
export const questions = {
  finished: 'When is high water? [finished]',
  failed: 'What will never be answered? [failed]',
  awaiting: 'What was said in the meeting? [awaiting]',
  recording: 'What is said? [recording]',
  picture: 'What is to be seen? [picture]',
  running: `When is low water? [running] ${longText}`,
  waiting: 'Is the harbour open? [waiting]',
  queued: `When is the next tide? [queued] ${longText}`,
  image: 'What is in the image? [image]',
  investigating: 'How high is it? [investigating]',
  divided: 'How warm is it? [divided]',
  due: 'What is due? [due]',
  kept: 'Which charge is kept? [kept]',
} as const;

type Label = keyof typeof questions;

const answers: Partial<Record<Label, ScriptedAnswer[]>> = {
  finished: [
    {
      text: 'First I save it.',
      calls: [
        { name: 'save_data', args: { name: 'harbour', value: 'Den Helder' } },
        { name: 'save_file', args: { filename: 'tides.csv', content: 'hour,level\n12,high\n' } },
      ],
    },
    { text: 'High water is at noon.' },
  ],
  failed: [{ status: 400 }],
  awaiting: [
    {
      calls: [
        {
          name: 'request_input',
          args: {
            message: 'Which meeting?',
            expected: [{ name: 'audioUrl', description: 'The recording.' }],
          },
        },
      ],
    },
  ],
  running: [
    {
      text: `First I note it. ${longText}`,
      calls: [{ name: 'save_data', args: { name: 'low water', value: longText.slice(0, 9_000) } }],
    },
    { text: 'Low water is at six.' },
  ],
  investigating: [
    investigate('How high is it in the north? [north]', 'How high is it in the south? [south]'),
    { text: 'High in the north, low in the south.' },
  ],
  divided: [
    investigate('How warm is it in the east? [east]', 'How warm is it in the west? [west]'),
    { text: 'Warm in the east, cold in the west.' },
  ],
};

export const labelOf = ({ messages }: ChatRequest): string => {
  const user = JSON.stringify(messages.find(({ role }) => role === 'user')?.content ?? '');
  return /\[(\w+)\]/.exec(user)?.[1] ?? '';
};

/** The number of the completion within its run, from 1. */
export const turnOf = ({ messages }: ChatRequest): number =>
  messages.filter(({ role }) => role === 'assistant').length + 1;

/** The answer to a conversation depends on nothing else: it is the same before and after an upgrade. */
export function answerTo(request: ChatRequest): ScriptedAnswer {
  const label = labelOf(request);
  if (request.model === 'upstream-eyes') return { text: `A grey pixel, as ${label} asked.` };
  const turns = answers[label as Label] ?? [{ text: `The answer to ${label}.` }];
  return turns[Math.min(turnOf(request), turns.length) - 1]!;
}

export interface TestModels {
  provider: Provider;
  catalogue: object;
  close(): Promise<void>;
}

/** Scripted models that write and see, and stand-ins that hear and decide, under names that a fixture's runs know. */
export async function startModels(): Promise<TestModels> {
  const [provider, standIns] = await Promise.all([
    startProvider(answerTo),
    startStandIns({ host: '127.0.0.1' }),
  ]);
  return {
    provider,
    catalogue: catalogueOf(provider, standIns),
    close: async () => void (await Promise.all([provider.close(), standIns.close()])),
  };
}

const catalogueOf = (provider: Provider, standIns: StandIns) =>
  simpleCatalogue(provider.baseUrl, {
    models: [
      {
        id: 'ears',
        kind: 'speech',
        description: 'A stand-in.',
        upstream: { baseUrl: standIns.baseUrl, model: 'stand-in-speech' },
        price: { perSecond: 0.0001 },
      },
      {
        id: 'judge',
        kind: 'decision',
        description: 'A stand-in.',
        upstream: { baseUrl: standIns.decisionBaseUrl, model: 'stand-in-decision' },
        price: { inputPerMillionTokens: 0.1, outputPerMillionTokens: 0 },
        contextTokens: 16_384,
        engine: 'systemone',
      },
    ],
    roles: { speech: 'ears', decision: 'judge' },
  });
