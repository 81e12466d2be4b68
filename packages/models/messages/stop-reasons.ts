/** Why a chat completion ended, from why a message did. */
export function finishReasonOf(_stopReason: unknown): string {
  throw new Error('to be written');
}

/** Why a message ended, from why a chat completion did. */
export function stopReasonOf(_finishReason: unknown, _called: boolean): string {
  throw new Error('to be written');
}
