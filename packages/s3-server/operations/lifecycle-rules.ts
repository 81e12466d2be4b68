import { randomUUID } from 'node:crypto';
import type { LifecycleRule } from '../store/records.ts';
import { S3Error } from '../wire/errors.ts';
import { readInteger } from '../wire/request.ts';
import { childrenOf, childText, readXml, type XmlElement } from '../wire/xml.ts';

const maxRules = 1000;

export function readLifecycle(text: string): LifecycleRule[] {
  const document = readXml(text);
  const rules = childrenOf(document, 'Rule');
  if (document.name !== 'LifecycleConfiguration' || rules.length === 0 || rules.length > maxRules) {
    throw new S3Error('MalformedXML');
  }
  return rules.map(readRule);
}

function readRule(rule: XmlElement): LifecycleRule {
  refuseOthers(rule, ['ID', 'Status', 'Prefix', 'Filter', 'Expiration', 'AbortIncompleteMultipartUpload']);
  const status = childText(rule, 'Status');
  if (status !== 'Enabled' && status !== 'Disabled') throw new S3Error('MalformedXML');
  const expireAfterDays = readDays(rule, 'Expiration', 'Days');
  const abortUploadsAfterDays = readDays(rule, 'AbortIncompleteMultipartUpload', 'DaysAfterInitiation');
  if (expireAfterDays === undefined && abortUploadsAfterDays === undefined) throw new S3Error('MalformedXML');
  return {
    id: childText(rule, 'ID') ?? randomUUID(),
    enabled: status === 'Enabled',
    prefix: readPrefix(rule),
    ...(expireAfterDays !== undefined && { expireAfterDays }),
    ...(abortUploadsAfterDays !== undefined && { abortUploadsAfterDays }),
  };
}

function readPrefix(rule: XmlElement): string {
  const [filter] = childrenOf(rule, 'Filter');
  if (!filter) return childText(rule, 'Prefix') ?? '';
  refuseOthers(filter, ['Prefix']);
  return childText(filter, 'Prefix') ?? '';
}

function readDays(rule: XmlElement, name: string, unit: string): number | undefined {
  const [action] = childrenOf(rule, name);
  if (!action) return undefined;
  refuseOthers(action, [unit]);
  const days = readInteger(unit, childText(action, unit), 36_500);
  if (!days) throw new S3Error('InvalidArgument', `'${unit}' must be a positive integer.`);
  return days;
}

/** A rule that would be kept and not followed is refused. */
function refuseOthers(element: XmlElement, names: readonly string[]): void {
  const other = element.children.find((child) => !names.includes(child.name));
  if (other) throw new S3Error('NotImplemented', `Lifecycle rules with ${other.name} are not offered here.`);
}

export function describeLifecycle(rule: LifecycleRule) {
  const { expireAfterDays, abortUploadsAfterDays } = rule;
  return {
    ID: rule.id,
    Status: rule.enabled ? 'Enabled' : 'Disabled',
    Filter: { Prefix: rule.prefix },
    Expiration: expireAfterDays === undefined ? undefined : { Days: expireAfterDays },
    AbortIncompleteMultipartUpload:
      abortUploadsAfterDays === undefined ? undefined : { DaysAfterInitiation: abortUploadsAfterDays },
  };
}
