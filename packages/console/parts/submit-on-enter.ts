/** Enter sends a form once from its text area, however long it is held; with Shift it is a new line, and while a character is composed it is a part of that. */
export function submitOnEnter(event: KeyboardEvent): void {
  if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  if (event.repeat) return;
  (event.currentTarget as HTMLTextAreaElement).form?.requestSubmit();
}
