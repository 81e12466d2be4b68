import type { Settings } from './settings.ts';

type Bounding = Pick<Settings, 'waf' | 'monthlyDollars' | 'alarmEmail'>;

/** AWS's own bounds. */
const rates = { least: 10, most: 2_000_000_000 } as const;

/** The mistakes in what bounds the stage's bill. */
export function spendingProblems({ waf, monthlyDollars, alarmEmail }: Bounding): string[] {
  const problems: string[] = [];
  const rate = waf?.requestsIn5Minutes;
  if (waf && !(Number.isInteger(rate) && Number(rate) >= rates.least && Number(rate) <= rates.most))
    problems.push(
      `waf.requestsIn5Minutes must be a whole number from ${rates.least} to ${rates.most.toLocaleString('en')}`,
    );
  if (monthlyDollars === undefined) return problems;
  if (!(Number.isFinite(monthlyDollars) && monthlyDollars > 0))
    problems.push('monthlyDollars must be a number over 0');
  if (!alarmEmail) problems.push('monthlyDollars needs alarmEmail, which its mails are sent to');
  return problems;
}
