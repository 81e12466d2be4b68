/** Has the browser save the text as a file. */
export function download(text: string, filename: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = filename;
  link.click();
  // The browser has read the address when the click returns, though perhaps not yet the bytes.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
