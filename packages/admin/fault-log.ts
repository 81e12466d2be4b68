import { createLog, type Log } from '@errand/platform';

/** A log whose warnings and errors are shown. Lines that differ only in their time are shown once. */
export function faultLog(tell: (line: string) => void): Log {
  const told = new Set<string>();
  return createLog((line) => {
    const { time: _, level, message, ...fields } = JSON.parse(line);
    const text = [message, ...Object.entries(fields).map(([name, value]) => `${name} ${value}`)].join(', ');
    if (level === 'info' || told.has(text)) return;
    told.add(text);
    tell(text);
  });
}
