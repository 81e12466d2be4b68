/** Anything shorter is no key, and would be found in words and numbers. */
const fewestCharacters = 8;

/** Secrets that must not be shown, and texts without them. */
export function createHiddenSecrets() {
  const hidden = new Set<string>();
  return {
    hide(given: string): void {
      const secret = given.trim();
      if (secret.length < fewestCharacters) return;
      hidden.add(secret).add(JSON.stringify(secret).slice(1, -1));
    },
    without: (text: string): string => {
      let left = text;
      for (const secret of hidden) left = left.replaceAll(secret, '***');
      return left;
    },
  };
}
