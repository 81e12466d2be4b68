/** The o200k tokens of a text. The encoding's tables are large: they load with the first count. */
export async function countTokens(text: string): Promise<number> {
  const encoding = await import('gpt-tokenizer/encoding/o200k_base');
  return encoding.countTokens(text, { disallowedSpecial: new Set() });
}
