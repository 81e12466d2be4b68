import type { Settings } from './settings.ts';

const percents = [50, 80, 100];

/** If the stage's settings ask for it, has AWS send mails when its costs of a month reach parts of a sum. */
export function createBudget({ monthlyDollars, alarmEmail }: Settings): void {
  if (monthlyDollars === undefined || !alarmEmail) return;
  new aws.budgets.Budget('Budget', {
    name: `${$app.name}-${$app.stage}`,
    budgetType: 'COST',
    limitAmount: String(monthlyDollars),
    limitUnit: 'USD',
    timeUnit: 'MONTHLY',
    costFilters: [{ name: 'TagKeyValue', values: [`user:sst:stage$${$app.stage}`] }],
    notifications: percents.map((threshold) => ({
      comparisonOperator: 'GREATER_THAN',
      threshold,
      thresholdType: 'PERCENTAGE',
      notificationType: 'ACTUAL',
      subscriberEmailAddresses: [alarmEmail],
    })),
  });
}
