/** The request of Messages that asks for what a chat completion asks for. Throws `invalid_request`. */
export function toMessageBody(
  _completion: Readonly<Record<string, unknown>>,
  _defaults: { maxTokens: number },
): Record<string, unknown> {
  throw new Error('to be written');
}
