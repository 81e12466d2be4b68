/** An id of a call as the protocol allows it. */
export function idForCaller(_id: string): string {
  throw new Error('to be written');
}

/** The id that the model's own upstream gave the call. */
export function idInChat(_id: string): string {
  throw new Error('to be written');
}
