const tagStart = /<(?=[\s\p{Cc}\p{Cf}]*(?:\/[\s\p{Cc}\p{Cf}]*)?user_skill(?![\p{L}\p{N}\p{M}_.:-]))/giu;

/**
 * The `<user_skill>` element that a model reads. The instructions in it are unchanged, except that the `<` of every
 * `user_skill` tag is escaped, so that they cannot close the element. A tag with invisible characters in it counts too.
 */
export const wrapInstructions = (instructions: string): string =>
  `<user_skill>\n${instructions.replace(tagStart, '&lt;')}\n</user_skill>`;
