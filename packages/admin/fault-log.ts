import { createLog, type Log } from '@errand/platform';

/** A log whose warnings and errors are told, those that differ in their time alone once. */
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
