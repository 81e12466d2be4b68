import { limits } from '@errand/platform';
import { Command, InvalidArgumentError } from 'commander';

const environment = `
Environment:
  ERRAND_API_KEY         the key that is used
  ERRAND_SECOND_API_KEY  a second key, of another account or of the same one
  DATA_DIR               the folder of the local service
  AWS_REGION             the region of --stage, with the usual variables of AWS for its credentials
Where a key is missing, --stage and a local service have one made.

Exit status:
  0  no check failed
  1  a check failed, or the command could not begin
  2  the command line is not valid`;

export interface Arguments {
  baseUrl?: string;
  stage?: string;
  model?: string;
  largeForms?: boolean;
  /** Ask the stage's newest version, which callers may not reach yet. */
  next?: boolean;
  /** Only the checks whose names contain this text. */
  only?: string;
  long?: { modelUrl: string; port: number; answerSeconds?: number };
  json: boolean;
  /** Tells the problem and the help. Throws `CommanderError`. */
  refuse(problem: string): never;
}

/** Throws `CommanderError` once the problem, or the help, is told. */
export function readArguments(
  line: readonly string[],
  { out, err }: Record<'out' | 'err', (text: string) => void>,
): Arguments {
  const program = new Command('npm run -s smoke --')
    .argument('[BASE_URL]', 'the service; default: that of the stage, or the local one', readBaseUrl)
    .option('--stage <NAME>', 'look at what the stage has in AWS, too')
    .option('--next', 'the newest version of the stage, whether or not callers reach it')
    .option('--model <ID>', 'the model that is asked; default: the cheapest that can do it')
    .option('--container <on|off>', 'whether a form of 20 MB must be taken or refused', readSwitch)
    .option('--only <CHECK>', 'only the checks whose names contain this text')
    .option('--long', 'what takes minutes, with --model-url')
    .option('--model-url <URL>', 'where the service reaches the model of this command', readUrl)
    .option(
      '--answer-seconds <N>',
      'how long the service lets an answer in one piece take',
      readAnswerSeconds,
    )
    .option('--listen <PORT>', 'where that model listens', readPort, 8790)
    .option('--json', 'one JSON document in place of the table')
    .addHelpText('after', environment)
    .exitOverride()
    .configureOutput({ writeOut: (text) => out(text.trimEnd()), writeErr: (text) => err(text.trimEnd()) })
    .showHelpAfterError('usage: npm run -s smoke -- [options] [BASE_URL]; --help tells the options')
    .parse(line, { from: 'user' });
  const { container, long, modelUrl, listen, answerSeconds, json = false, ...named } = program.opts();
  const refuse = (problem: string) => program.error(`error: ${problem}`);
  if ((long === true) !== (modelUrl !== undefined))
    refuse('--long and --model-url go together: the service must reach the model of this command');
  if (answerSeconds !== undefined && !long) refuse('--answer-seconds needs --long');
  if (named.next && named.stage === undefined) refuse('--next needs --stage, to read the secret of the edge');
  const [baseUrl] = program.processedArgs;
  return {
    ...named,
    baseUrl,
    largeForms: container,
    long: long && { modelUrl, port: listen, answerSeconds },
    json,
    refuse,
  };
}

/** An http(s) URL without slashes at its end. */
function readUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '');
  throw new InvalidArgumentError('It must be an http(s) URL.');
}

/** The checks add paths of their own. */
function readBaseUrl(text: string): string {
  const { href, origin } = new URL(readUrl(text));
  if (href !== `${origin}/`) throw new InvalidArgumentError(`It must be an origin, such as ${origin}.`);
  return origin;
}

function readSwitch(text: string): boolean {
  if (text === 'on' || text === 'off') return text === 'on';
  throw new InvalidArgumentError('It must be on or off.');
}

/** A shorter answer shows nothing that the other checks do not. */
function readAnswerSeconds(text: string): number {
  const seconds = Number(text);
  if (/^\d{2,3}$/.test(text) && seconds >= 70 && seconds <= limits.longestAnswerSeconds) return seconds;
  throw new InvalidArgumentError(`It must be a whole number from 70 to ${limits.longestAnswerSeconds}.`);
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('It must be a port.');
}
