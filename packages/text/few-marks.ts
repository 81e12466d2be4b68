/** Marks of letters, and the halfwidth ones that become marks where a text is normalized. */
const furtherMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** The text with at most 30 marks on a letter: normalizing takes the square of them, and no writing has as many. */
export const withFewMarks = (text: string): string => text.replace(furtherMarks, '$1');
