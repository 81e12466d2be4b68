import { type Message, textOf } from './conversation.ts';

/** What the policy was told about how to work. What it was not told, it does not do. */
export interface Instructions {
  usesTools: boolean;
  cites: boolean;
  /** Says what was not found. Otherwise it guesses. */
  admits: boolean;
  /** Looks for a second source. */
  compares: boolean;
  /** Weighs what contradicts each other. Otherwise it takes what it met first. */
  weighs: boolean;
  /** Makes several calls at once. */
  atOnce: boolean;
  /** How many calls may go out at once, and in how many rounds. */
  mostAtOnce: number | undefined;
  rounds: number | undefined;
  /** Has others work on the parts of a question. */
  delegates: boolean;
  /** Writes in the language of the question. */
  followsLanguage: boolean;
  /** Stops when the results say the same again. */
  stops: boolean;
  /** Does not follow what stands between the marks of material from outside. */
  distrusts: boolean;
}

/** Reads the system prompt by cues, as any wording of the same instruction has them. */
export function readInstructions(messages: readonly Message[]): Instructions {
  const text = messages
    .filter(({ role }) => role === 'system' || role === 'developer')
    .map(textOf)
    .join('\n');
  const told = (cue: RegExp) => cue.test(text);
  const figure = (cue: RegExp) => {
    const found = cue.exec(text)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  return {
    usesTools: told(/\btools?\b/i) && !told(/\b(?:never|do not) use (?:a |any )?tools?\b/i),
    cites: told(/\[\d+\]/) && told(/\b(?:cite|number|source)/i),
    admits: told(/could not (?:be )?f(?:i|ou)nd|not found|without guess|(?:do not|never) [^.]*guess/i),
    compares: told(/\b(?:second|another|further|independent) source/i),
    weighs: told(/contradict|disagree|conflict/i),
    atOnce: told(/at once|in parallel|in one (?:turn|message)|together/i),
    mostAtOnce: figure(/at most (\d+)[^.]*at once/i),
    rounds: figure(/\brounds?\b[^.\n]*\bthere are (\d+)/i),
    delegates: told(/\bparts\b[^\n]*\b(?:several at once|question for each part)/i),
    followsLanguage: told(/\blanguage\b/i),
    stops: told(
      /\brepeat(?:ed|s)?\b[^.\n]*\b(?:stop|enough|answer)|\bstop\b[^.\n]*\brepeat|two or three searches/i,
    ),
    distrusts: told(/outside_material/) && told(/not (?:yours )?to (?:be )?follow|do not follow/i),
  };
}
