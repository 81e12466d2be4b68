import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** What is kept for longer than a day. */
const kept = ['accounts', 'skills', 'values', 'schedules'] as const;

export const vaultName = (): string => `${$app.name}-${$app.stage}`;

/**
 * If the stage's settings ask for it, copies its tables each day into a vault of AWS Backup. Restores to a moment end with
 * their table and with its account; what is in a locked vault, or in one of another account, does not.
 */
export function createBackups({ backups }: Settings, tables: Tables): void {
  if (!backups) return;
  const { keepDays, copyTo, locked } = backups;
  // AWS deletes no vault that has copies.
  const stays = { retainOnDelete: true };
  const vault = new aws.backup.Vault('Backups', { name: vaultName() }, stays);
  if (locked)
    new aws.backup.VaultLockConfiguration(
      'BackupsLock',
      // Three days, AWS's own least, in which the lock can still be lifted.
      { backupVaultName: vault.name, minRetentionDays: keepDays, changeableForDays: 3 },
      stays,
    );
  const lifecycle = { deleteAfter: keepDays };
  const plan = new aws.backup.Plan('BackupPlan', {
    name: `${$app.name}-${$app.stage}`,
    rules: [
      {
        ruleName: 'daily',
        targetVaultName: vault.name,
        schedule: 'cron(0 3 * * ? *)',
        lifecycle,
        copyActions: copyTo === undefined ? [] : [{ destinationVaultArn: copyTo, lifecycle }],
      },
    ],
  });
  const role = new aws.iam.Role('BackupRole', {
    name: `${$app.name}-${$app.stage}-Backup`,
    assumeRolePolicy: aws.iam.assumeRolePolicyForPrincipal({ Service: 'backup.amazonaws.com' }),
    managedPolicyArns: ['arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup'],
  });
  new aws.backup.Selection('BackedUp', {
    planId: plan.id,
    iamRoleArn: role.arn,
    resources: kept.map((id) => tables[id].arn),
  });
}
