import { addressMasks } from './address-masks.ts';
import { applyMasks, type Mask, removed } from './mask.ts';

const owner =
  '(?:[Oo]rgani[sz]ation|[Oo]rg|[Pp]roject|[Ww]orkspace|[Tt]enant|[Aa]ccount|[Tt]eam|[Ss]ubscription|[Cc]ustomer)';
const ownerLabel = '(?:\\s+(?:id|ID|name|named|called|number|slug))?';
/** Words that follow `organization` or `account` and are no name. */
const notName =
  '(?!(?:is|are|was|has|have|had|must|does|do|did|can|cannot|could|may|not|to|on|and|or|that|which|who|with|at|in|for|of|by|the|an?|your|levels?|settings?|owners?|admins?|pages?|members?|limits?|quotas?|tiers?|plans?|keys?|balances?|verification|before|because|if|when|as|will|would|should|ids?|IDs?|names?|numbers?)\\b)';
const capitalised = '[A-Z][\\w.&-]{0,60}(?:\\s[A-Z][\\w.&-]{0,60}){0,4}';

/** Every quantifier that another may follow is bounded, so that no text takes longer than its length. */
const masks: readonly Mask[] = [
  ...addressMasks,
  // Keys.
  [/\bbearer\s{1,4}(?!tokens?\b|auth)[^\s"'`,]+/gi, removed],
  [
    /\b((?:x-)?api[-_ ]?key|(?:access|secret|private)[-_ ]?key|secret|password|authorization|(?:access|auth)[-_ ]?token)(["'`]?(?:\s(?:provided|given|is|was))?\s?[:=]\s?)["'`]?[^\s"'`,;]+/gi,
    `$1$2${removed}`,
  ],
  // Without a sign, only what has a digit or quotes is a key: `password must be set` is none.
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

/** Removes from one line of text what looks like a key, an address or the name of an account. */
export const maskPatterns = (text: string): string => applyMasks(masks, text);

/** Whether a part of it has as many letters and digits as only a key or a digest has. */
const isToken = (text: string): boolean =>
  text.split(/[^A-Za-z0-9]/).some((part) => {
    const isMixed = /\d/.test(part) && /[A-Za-z]/.test(part);
    const isRandom = isMixed && /[a-z]/.test(part) && /[A-Z]/.test(part);
    return (isMixed && part.length >= 20) || (isRandom && part.length >= 16) || part.length >= 40;
  });
