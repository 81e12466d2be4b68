import { isIPv6 } from 'node:net';

/** The placeholder for what was removed. */
export const removed = '[removed]';

/**
 * What is looked for, and what comes in its place. Every quantifier that another may follow is bounded, so that the time
 * grows with the text's length alone.
 */
type Mask = readonly [RegExp, string | ((match: string) => string)];

/** Suffixes of host names. Suffixes that are also names of fields (`.name`, `.id`) are left out, so that `messages.0.name` stays. */
const hostSuffix =
  'com|net|org|io|ai|dev|cloud|app|eu|de|fr|nl|uk|us|ch|at|be|es|pl|ie|ca|au|jp|cn|kr|br|gov|edu|tech|xyz|test|invalid|example|internal|local|localdomain|lan|intra|corp|svc|arpa';

/** A word before one of the ports at which models are mostly served is a server, unless it says that a number follows: `limit:8000`. */
const server =
  '(?!(?:[\\w-]{0,40}[_-])?(?:limit|length|size|max|min|count|total|token)s?:)[a-z][\\w-]{0,62}:(?:3000|5000|7860|80\\d\\d|8443|8888|9000|11434|30000|50051)\\b';

/** Folders at the root of a machine. Paths of APIs (`/v1/chat/completions`) and JSON pointers (`#/data/0`) do not match. */
const rootFolder =
  '(?:home|Users|root|mnt|opt|srv|var|tmp|etc|usr|data\\d{0,2}|workspaces?|models?|weights|checkpoints|apps?|volumes?|storage|scratch|nfs|efs|fsx|shared?|cache|proc|private|media|Volumes|disk\\d{0,2}|nvme\\d{0,2}|huggingface|hf|ollama|vllm|repository)';
const fileEnding =
  '(?:gguf|ggml|safetensors|bin|pth?|ckpt|onnx|engine|npz|py|so|json|ya?ml|toml|env|pem|key|crt|sock|log|jinja2?|sh|exe|dll)';
const pathEnd = '[^\\s"\'`,()<>]*';

const addresses: readonly Mask[] = [
  [/\b[a-z][a-z0-9+.-]{0,19}(?::|%3a)(?:\\{0,4}\/|%2f){2}[^\s"'`<>()]*/gi, removed],
  [/[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,6}/g, removed],
  [/\barn:[^\s"'`,()]+/gi, removed],
  [/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?\b/g, removed],
  [
    /(?<![\w:.])[0-9a-f]{0,4}:[0-9a-f:.]{1,40}/gi,
    (match) => (isIPv6(match.replace(/[.:]$/, '')) || isIPv6(match) ? removed : match),
  ],
  [new RegExp(`\\b(?:[a-z0-9_-]{1,63}\\.){1,6}(?:${hostSuffix})\\b(?::\\d{1,5})?`, 'gi'), removed],
  [/\blocalhost\b(?::\d{1,5})?/gi, removed],
  [/\b[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,6}:\d{2,5}\b/gi, removed],
  [new RegExp(`(?<![\\w-])${server}`, 'gi'), removed],
  [/\bip(?:-\d{1,3}){4}\b(?:\.[\w-]{1,63}){0,6}/gi, removed],
  // Folders and files of the upstream's machine.
  [new RegExp(`(?<![\\w./#])/${rootFolder}/(?!\\d{1,9}\\b)${pathEnd}`, 'g'), removed],
  [
    new RegExp(`(?<![\\w./#])/(?:[\\w.@+-]{1,100}/){1,12}[\\w.@+-]{0,100}\\.${fileEnding}\\b${pathEnd}`, 'g'),
    removed,
  ],
  [/(?<!\w)~\/[^\s"'`,()<>]+/g, removed],
  // In `a:\n` the backslash begins a line break, no path.
  [/(?<!\w)[a-z]:\\(?!(?:[nrt]\b|"))[^\s"'`,<>|]*(?:\s[\w.()-]{1,60}\\[^\s"'`,<>|]*){0,4}/gi, removed],
];

const owner =
  '(?:[Oo]rgani[sz]ation|[Oo]rg|[Pp]roject|[Ww]orkspace|[Tt]enant|[Aa]ccount|[Tt]eam|[Ss]ubscription|[Cc]ustomer)';
const ownerLabel = '(?:\\s+(?:id|ID|name|named|called|number|slug))?';
/** Words after `organization` or `account` that are not the name of one. */
const notName =
  '(?!(?:is|are|was|has|have|had|must|does|do|did|can|cannot|could|may|not|to|on|and|or|that|which|who|with|at|in|for|of|by|the|an?|your|levels?|settings?|owners?|admins?|pages?|members?|limits?|quotas?|tiers?|plans?|keys?|balances?|verification|before|because|if|when|as|will|would|should|ids?|IDs?|names?|numbers?)\\b)';
const capitalised = '[A-Z][\\w.&-]{0,60}(?:\\s[A-Z][\\w.&-]{0,60}){0,4}';

const keysAndAccounts: readonly Mask[] = [
  // Keys.
  [/\bbearer\s{1,4}(?!tokens?\b|auth)[^\s"'`,]+/gi, removed],
  [
    /\b((?:x-)?api[-_ ]?key|(?:access|secret|private)[-_ ]?key|secret|password|authorization|(?:access|auth)[-_ ]?token)(["'`]?(?:\s(?:provided|given|is|was))?\s?[:=]\s?)["'`]?[^\s"'`,;]+/gi,
    `$1$2${removed}`,
  ],
  // Without `:` or `=`, only a text with a digit or in quotes is a key, so that `password must be set` stays.
  [
    /\b(password|passwd|passphrase|pwd|secret|api[-_ ]?key|(?:access|secret|private)[-_ ]?key|(?:access|auth)[-_ ]?token)(\s(?:(?:provided|given|is|was)\s)?)(?:(["'`])[^"'`]{1,200}\3|(?=[^\s"'`,;]{0,200}\d)[^\s"'`,;[]{4,})/gi,
    `$1$2${removed}`,
  ],
  [
    /\b((?:set-)?cookie["'`]?\s?(?:[:=]\s?|(?=[\w.-]{1,64}=)))["'`]?[^\s"'`,;[]+(?:;\s?(?:[\w.-]{1,64}=[^\s"'`,;]*|secure|httponly|partitioned)){0,20}/gi,
    `$1${removed}`,
  ],
  [
    /\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|csk|fw|tgp|gh[pousr]|glpat|xox[abps])[-_](?=[\w*.-]{0,200}[\d*])[\w*.-]{4,}/gi,
    removed,
  ],
  [/\bsk-[\w*.-]{3,}/gi, removed],
  [/\b(?:AIza[\w-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{12,}|ya29\.[\w.-]+|eyJ[\w-]{8,}[\w.-]*)/g, removed],
  [/(?<![\w-])[\w-]{0,64}(?:\*{3,}|•{3,})[\w*•-]*/g, removed],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, removed],
  [/[A-Za-z0-9+/_-]{20,}={0,2}/g, (match) => (isToken(match) ? removed : match)],
  // Accounts, and the ids of requests.
  [/\borg-[A-Za-z0-9]{3,}/g, removed],
  [
    /\b(?:org|proj|project|acct|account|user|usr|team|ws|wrkspc|workspace|tenant|req|request|resp|run|sess|cust|sub|asst|ft|ftjob)[-_](?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{6,}\b/gi,
    removed,
  ],
  [/\brequest[-_ ]?id["'`]?\s?[:=]?\s?["'`]?[\w-]{8,}/gi, removed],
  [/\b\d{12}\b/g, removed],
  [
    /\b(projects|organi[sz]ations|accounts|tenants|subscriptions|workspaces|resourceGroups)\/[^\s/"'`,()]+/gi,
    `$1/${removed}`,
  ],
  [new RegExp(`\\b(${owner}${ownerLabel}\\s?[:=]?\\s?)(["'\`])[^"'\`]{1,200}\\2`, 'g'), `$1${removed}`],
  [new RegExp(`\\b(${owner}${ownerLabel}\\s?[:=]\\s?)[^\\s"'\`,;[]+`, 'g'), `$1${removed}`],
  [
    new RegExp(
      `\\b((?:in|of|for|by|from|within|to|under|on)\\s(?:(?:the|your|our|this)\\s)?${owner}${ownerLabel}\\s)${notName}(?:${capitalised}|[\\w-]{1,60})`,
      'g',
    ),
    `$1${removed}`,
  ],
  [new RegExp(`\\b(${owner}${ownerLabel}\\s)${notName}${capitalised}`, 'g'), `$1${removed}`],
  [
    new RegExp(
      `\\b((?:[Aa]cct|${owner})(?:\\s[Nn][or]\\.?|${ownerLabel})\\s#?)(?=[\\w-]{0,60}\\d)[\\w-]{4,}`,
      'g',
    ),
    `$1${removed}`,
  ],
];

/** True if a part of the word has as many letters and digits as only a key or a digest has. */
const isToken = (text: string): boolean =>
  text.split(/[^A-Za-z0-9]/).some((part) => {
    const isMixed = /\d/.test(part) && /[A-Za-z]/.test(part);
    const isRandom = isMixed && /[a-z]/.test(part) && /[A-Z]/.test(part);
    return (isMixed && part.length >= 20) || (isRandom && part.length >= 16) || part.length >= 40;
  });

/** The line of text without what looks like a key, an address or the name of an account. */
export const maskPatterns = (text: string): string =>
  [...addresses, ...keysAndAccounts].reduce(
    (rest, [pattern, by]) => rest.replace(pattern, by as string),
    text,
  );
