const everyMilliseconds = 50;

/** Passes on pieces of text together, not more often than eyes can follow. */
export function takeTogether(pass: (text: string) => void): { take(text: string): void; flush(): void } {
  let waiting = '';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting) pass(waiting);
    waiting = '';
  };
  return {
    take(text) {
      waiting += text;
      timer ??= setTimeout(flush, everyMilliseconds);
    },
    flush,
  };
}
