const tagStart = /<(?=[\s\p{Cc}\p{Cf}]*(?:\/[\s\p{Cc}\p{Cf}]*)?user_skill(?![\p{L}\p{N}\p{M}_.:-]))/giu;

/**
 * The `<user_skill>` element that a model reads. So that the instructions cannot close the element, the `<` of every
 * `user_skill` tag in them is escaped, also if the tag contains invisible characters. Nothing else is changed.
 */
export const wrapInstructions = (instructions: string): string =>
  `<user_skill>\n${instructions.replace(tagStart, '&lt;')}\n</user_skill>`;
