/** Each word of the upstream's text is this mark and the time at which it was written, in `stampDigits` digits. */
export const stampMark = ' lorem@';
export const stampDigits = 15;

/** Microseconds of a clock that all processes of a machine share: `process.hrtime` is CLOCK_MONOTONIC on Linux. */
export function sharedMicroseconds(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e6 + Math.floor(nanoseconds / 1e3);
}
