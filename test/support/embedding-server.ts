import type { ServerResponse } from 'node:http';
import { type LocalServer, sendJson, serve } from './local-server.ts';

/** Words that mean the same. */
const synonyms = [
  ['ferry', 'boat', 'vessel'],
  ['leave', 'depart', 'sail'],
  ['winter', 'cold', 'frost'],
  ['price', 'fare', 'toll'],
  ['child', 'minor', 'youngster'],
  ['doctor', 'physician', 'surgeon'],
  ['night', 'dark', 'midnight'],
  ['sick', 'ill', 'unwell'],
  ['bridge', 'span', 'crossing'],
  ['collapse', 'fall', 'ruin'],
  ['flood', 'deluge', 'inundation'],
  ['cause', 'reason', 'origin'],
  ['school', 'academy', 'classroom'],
  ['roof', 'covering', 'thatch'],
  ['pay', 'finance', 'fund'],
  ['repair', 'mend', 'restore'],
  ['mill', 'grinder', 'millstone'],
  ['owner', 'proprietor', 'holder'],
  ['sell', 'dispose', 'auction'],
  ['harvest', 'crop', 'yield'],
  ['bread', 'loaf', 'bakery'],
  ['weigh', 'heavy', 'pounds'],
  ['fine', 'penalty', 'forfeit'],
  ['thief', 'robber', 'burglar'],
  ['catch', 'arrest', 'seize'],
  ['music', 'melody', 'tune'],
  ['dance', 'waltz', 'reel'],
  ['forbid', 'ban', 'prohibit'],
  ['war', 'battle', 'siege'],
  ['end', 'finish', 'conclude'],
];
const meanings = new Map(synonyms.flatMap((words, meaning) => words.map((word) => [word, meaning])));

/** Makes a vector of the meanings of a text's words. */
function meaningOf(text: string): number[] {
  const vector = Array<number>(synonyms.length + 1).fill(0);
  vector[synonyms.length] = 0.01;
  for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
    const meaning = meanings.get(word);
    if (meaning !== undefined) vector[meaning]!++;
  }
  return vector;
}

/** Ten questions, each with its answer in other words, and with words that tell of something else. */
const asked: readonly [question: string, answer: string, others: string][] = [
  [
    'When does the ferry leave in winter?',
    'In frost each vessel will sail at nine.',
    'bread weigh music dance',
  ],
  ['What is the price of the ferry for a child?', 'A minor owes the boat no fare.', 'war end school roof'],
  [
    'Is there a doctor for the sick at night?',
    'A physician sees the unwell until midnight.',
    'mill owner sell bread',
  ],
  [
    'Why did the bridge collapse in the flood?',
    'The crossing came to ruin by the deluge of May.',
    'music dance forbid pay',
  ],
  [
    'What was the cause of the flood?',
    'The origin of the inundation was a blocked sluice.',
    'thief catch fine bread',
  ],
  [
    'Who will pay the repair of the school roof?',
    'Guilds fund what may restore the academy covering.',
    'ferry leave war end',
  ],
  [
    'To whom did the owner sell the mill?',
    'The proprietor let a cousin auction the grinder.',
    'night sick doctor music',
  ],
  [
    'How much must the bread weigh after harvest?',
    'Past crop time a loaf of four pounds is due.',
    'bridge collapse pay fine',
  ],
  [
    'What is the fine if they catch a thief?',
    'Watchmen who arrest a burglar share his forfeit.',
    'school repair music price',
  ],
  [
    'When did they forbid dance and music until the end of war?',
    'A ban on each tune and waltz held until the siege would conclude.',
    'mill bread weigh owner',
  ],
];

const noiseOfEach = 15;
const filler = 'It stands so in the book of the town, which the clerk keeps under lock and key. '.repeat(5);
const filled = (text: string): string => `${text} ${filler}`.slice(0, 300);

/**
 * Questions in words that their answers do not have, among passages that have these words and speak of something else: the
 * texts of all passages, and each question with its answer.
 */
export const paraphrased = {
  texts: asked.flatMap(([question, answer, others]) => [
    ...Array.from({ length: noiseOfEach }, (_, i) =>
      filled(`Entry ${i}. ${question.replace('?', '')} ${others} ${others}.`),
    ),
    filled(answer),
  ]),
  questions: asked.map(([question, answer]) => ({ question, answer })),
};

export interface EmbeddingRequest {
  input: string[];
  model: string;
}

export interface EmbeddingServer extends LocalServer {
  baseUrl: string;
  requests: EmbeddingRequest[];
  /** Answers in place of the vectors from now on. Without one, requests are answered with vectors again. */
  instead(answer?: (response: ServerResponse) => void): void;
}

/** A provider of embeddings that knows a few synonyms, and counts each word as a token. */
export async function startEmbeddings(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = [];
  let instead: ((response: ServerResponse) => void) | undefined;
  const server = await serve(({ body }, response) => {
    const request = JSON.parse(body) as EmbeddingRequest;
    requests.push(request);
    if (instead) return instead(response);
    sendJson(response, 200, embeddingsOf(body));
  });
  return {
    ...server,
    baseUrl: `${server.url}/v1`,
    requests,
    instead(answer) {
      instead = answer;
    },
  };
}

/** Its answer to a request. */
export function embeddingsOf(body: string): object {
  const { input } = JSON.parse(body) as EmbeddingRequest;
  const prompt_tokens = wordsOf(input);
  const data = input.map((text, index) => ({ index, embedding: meaningOf(text) }));
  return { object: 'list', data, usage: { prompt_tokens, total_tokens: prompt_tokens } };
}

/** What it counts. */
export const wordsOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);
