const units = [
  { seconds: 86_400, name: 'd' },
  { seconds: 3600, name: 'h' },
  { seconds: 60, name: 'min' },
];

/** How long ago it was, in its largest unit. */
export function formatAge(at: string, now: number): string {
  const seconds = (now - Date.parse(at)) / 1000;
  const unit = units.find((each) => seconds >= each.seconds);
  return unit ? `${Math.floor(seconds / unit.seconds)} ${unit.name} ago` : 'just now';
}

export function formatDuration(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 1) return `${Math.round(milliseconds)} ms`;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 60) return `${Math.round(seconds)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** A time as the visitor's clock has it. */
export const formatTime = (at: string): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

/** A time of the service's own days, which are in UTC. */
export const formatUtcTime = (at: string): string =>
  `${new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
