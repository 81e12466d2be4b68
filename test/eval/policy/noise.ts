import { fractionOf } from '../random.ts';

/** The mistakes of the policy: how often it makes each. */
const rates = {
  /** Searches without the name. */
  badQuery: 0.1,
  /** Calls a tool that there is not, or with a wrong argument. */
  wrongCall: 0.08,
  /** Writes something beside its calls. */
  remark: 0.3,
  /** Begins its answer with its thoughts. */
  thinking: 0.06,
  /** Says something that no source says, and cites none for it. */
  unsourced: 0.15,
  /** Cites another source than the one that says it. */
  wrongSource: 0.08,
  /** Writes another figure than it read. */
  slip: 0.08,
  /** Finds its own slip in the check. */
  noticed: 0.6,
  /** Writes a remark in the check, where it should confirm. */
  checkRemark: 0.25,
  /** Calls a tool in the check first. */
  checkCall: 0.08,
  /** Gives a field a value that it has not found. */
  guess: 0.5,
  /** Holds on to a guess that it was told nothing bears out. */
  holdsOn: 0.4,
  /** Writes a cell of a table wrong. */
  cellSlip: 0.02,
  /** Writes a value that its schema does not allow. */
  wrongForm: 0.25,
  /** Writes a value between words. */
  fenced: 0.2,
  /** Writes the value at once, where it was to say what it has found. */
  early: 0.15,
} as const;

export interface Noise {
  /** Whether it happens now. The same for the same question, and the same place in the run. */
  happens(what: keyof typeof rates, place?: string | number): boolean;
  pick<T>(list: readonly T[], place?: string | number): T;
  /** The mistakes that are made with a question, alone or as a part of another. */
  on(question: string): Noise;
}

export function noiseOf(seed: string, question: string): Noise {
  const plain = question.replaceAll(/https?:\/\/\S+/g, '');
  const at = (what: string, place: string | number) => fractionOf(`${seed} ${what} ${place} ${plain}`);
  return {
    happens: (what, place = '') => at(what, place) < rates[what],
    pick: (list, place = '') => list[Math.floor(at('pick', place) * list.length)]!,
    on: (other) => noiseOf(seed, other),
  };
}

/** What models say in a check, though they were asked to say nothing. */
export const remarks: readonly string[] = [
  'I have double-checked the figures against the sources, and there is nothing that I would like to alter.',
  'Having gone through everything once more, I am satisfied with what I wrote.',
  'The response above addresses every part of the question, so I leave it untouched.',
  'All good.',
  'I reviewed each citation; the answer holds.',
  'My answer reflects what the sources say. No edits required.',
  'Nothing needs to be revised here.',
  'Ich habe alles noch einmal geprüft und möchte nichts daran ändern.',
  'Die Antwort passt so, ich lasse sie stehen.',
  "J'ai tout relu : je ne vois rien à corriger.",
  'La réponse me semble juste, je la garde telle quelle.',
  'He repasado la respuesta y no cambiaría nada.',
  'Todo está en orden; mantengo lo escrito.',
  'Ho ricontrollato tutto e non cambierei nulla.',
  'もう一度確認しましたが、直すところはありません。',
  '我已核对所有来源，答案保持原样。',
  'After re-reading the pages that I opened, I can say that each statement is backed by one of them, that no part of the question is left open, and that a further search would hardly bring anything new. For these reasons I keep what I have written, and I thank you for the opportunity to look at it again. It is ready to be sent as it is, from my point of view.',
  'Everything in the answer is supported by the material, as far as I can tell.',
];
