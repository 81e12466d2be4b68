const tagStart = /<(?=[\s\p{Cc}\p{Cf}]*(?:\/[\s\p{Cc}\p{Cf}]*)?user_skill(?![\p{L}\p{N}\p{M}_.:-]))/giu;

/**
 * What a model reads of a skill. Only the `<` of a `user_skill` tag within the instructions is changed, so that they
 * cannot close the element; invisible characters in the tag hide it from a reader, not from here.
 */
export const wrapInstructions = (instructions: string): string =>
  `<user_skill>\n${instructions.replace(tagStart, '&lt;')}\n</user_skill>`;
