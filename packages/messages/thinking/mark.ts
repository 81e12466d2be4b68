/** What marks thinking of the model with this id of the catalogue. */
export function tagOf(_modelId: string): string {
  throw new Error('to be written');
}

/** A signature of ours: `n` around an upstream's own, `m` for thinking that a chat completion has brought. */
export function makeMark(_tag: string, _kind: 'n' | 'm', _rest?: string): string {
  throw new Error('to be written');
}

/** Undefined for a signature that is not ours. */
export function readMark(_text: unknown): { tag: string; kind: 'n' | 'm'; rest: string } | undefined {
  throw new Error('to be written');
}
