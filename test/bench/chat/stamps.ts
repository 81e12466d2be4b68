/** Each word of the upstream's text is this mark, then the time at which the word was written in `stampDigits` digits. */
export const stampMark = ' lorem@';
export const stampDigits = 15;

/** The time in microseconds by a clock that all processes share: on Linux `process.hrtime` reads CLOCK_MONOTONIC. */
export function sharedMicroseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.floor(nanoseconds / 1e3);
}
