/**
 * Puts a text into an element that a model reads. So that the text cannot close the element, the `<` of every tag of its name in it is
 * escaped, also if the tag contains invisible characters. Nothing else is changed.
 */
export function fenced(element: string): (text: string) => string {
  const invisible = String.raw`[\s\p{Cc}\p{Cf}]*`;
  const tagStart = new RegExp(
    String.raw`<(?=${invisible}(?:\/${invisible})?${element}(?![\p{L}\p{N}\p{M}_.:-]))`,
    'giu',
  );
  return (text) => `<${element}>\n${text.replace(tagStart, '&lt;')}\n</${element}>`;
}

/** The `<user_skill>` element that a model reads. */
export const wrapInstructions = fenced('user_skill');
