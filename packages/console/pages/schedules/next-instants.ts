import { Cron } from 'croner';

const shownInstants = 5;

/** The next times at which a pattern is due, in words, as the service counts them. Undefined if it is no pattern of five fields. */
export function nextInstants(cron: string, timeZone: string, after: Date): string[] | undefined {
  try {
    // As the service has it: a time of day is due once on days on which the clock is changed.
    const options = {
      timezone: timeZone,
      mode: '5-part',
      fixedTimeRule: 'no-wildcard',
      paused: true,
    } as const;
    const words = new Intl.DateTimeFormat('en-GB', {
      ...{ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
      ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short', timeZone },
    });
    return new Cron(cron.trim(), options).nextRuns(shownInstants, after).map((time) => words.format(time));
  } catch {
    return undefined;
  }
}
