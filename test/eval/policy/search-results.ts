/** The addresses in the result of a search, best first: each stands on a line of its own. */
export const foundAddresses = (result: string): string[] => [
  ...new Set(
    result
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => /^https?:\/\/\S+$/.test(line)),
  ),
];
