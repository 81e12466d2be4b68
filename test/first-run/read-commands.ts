/** The shell blocks of a section of a page, in their order. */
export function shellBlocks(page: string, title: string): string[] {
  const begin = page.indexOf(`\n## ${title}\n`);
  const end = page.indexOf('\n## ', begin + 1);
  return [...page.slice(begin, end).matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block);
}

/** The commands that a start printed: indented lines after one that ends in a colon, by that line. */
export function printedCommands(printed: string): Record<string, string> {
  const found = printed.matchAll(/^(\S.*):\n((?: {2}.*\n)+)/gm);
  return Object.fromEntries([...found].map(([, words = '', command = '']) => [words, command]));
}
