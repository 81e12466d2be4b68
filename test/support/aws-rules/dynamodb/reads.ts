import type { Rule } from '../sent.ts';
import { type Operation, operationsOf } from './operations.ts';
import type { KnownTable } from './tables.ts';

const mostSegments = 1_000_000;

/** The settings of queries and scans. */
export const readProblems: Rule = (sent) =>
  operationsOf(sent).flatMap((operation) => {
    if (operation.kind !== 'Query' && operation.kind !== 'Scan') return [];
    return [
      ...indexProblems(operation, sent.tables.get(operation.table)),
      ...selectProblems(operation),
      ...pageProblems(operation),
    ];
  });

function indexProblems(
  { IndexName, ConsistentRead, Select, table }: Operation,
  known?: KnownTable,
): string[] {
  if (IndexName === undefined)
    return Select === 'ALL_PROJECTED_ATTRIBUTES' ? ['reads: ALL_PROJECTED_ATTRIBUTES without an index'] : [];
  const index = known?.indexes.get(IndexName);
  if (known && !index) return [`indexes: ${table} has no index ${IndexName}`];
  return [
    ...(ConsistentRead ? ['reads: ConsistentRead of a global secondary index'] : []),
    ...(Select === 'ALL_ATTRIBUTES' && index?.projectsAll === false
      ? ['reads: ALL_ATTRIBUTES of an index that has fewer']
      : []),
  ];
}

function selectProblems({ Select, ProjectionExpression }: Operation): string[] {
  if (Select === 'SPECIFIC_ATTRIBUTES' && ProjectionExpression === undefined)
    return ['reads: SPECIFIC_ATTRIBUTES without a ProjectionExpression'];
  if (Select === undefined || Select === 'SPECIFIC_ATTRIBUTES' || ProjectionExpression === undefined)
    return [];
  return [`reads: a ProjectionExpression with Select ${Select}`];
}

function pageProblems({ kind, Limit, Segment, TotalSegments }: Operation): string[] {
  const problems: string[] = [];
  if (Limit !== undefined && !(Number.isInteger(Limit) && Limit >= 1))
    problems.push(`reads: Limit is ${Limit}`);
  if (kind === 'Query') return problems;
  if ((Segment === undefined) !== (TotalSegments === undefined))
    problems.push('reads: Segment and TotalSegments belong together');
  if (Segment === undefined || TotalSegments === undefined) return problems;
  if (TotalSegments < 1 || TotalSegments > mostSegments)
    problems.push(`reads: TotalSegments is ${TotalSegments}`);
  if (Segment < 0 || Segment >= TotalSegments)
    problems.push(`reads: Segment is ${Segment} of ${TotalSegments}`);
  return problems;
}
