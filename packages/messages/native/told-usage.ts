import { readTokenCount } from '@errand/models';
import { isFields } from '@errand/platform';
import type { Fields } from '../request/fields.ts';
import type { Asked } from '../wire.ts';

/** Far more than any usage has. Each costs time where it is read, joined and written. */
const mostFields = 100;

/** What callers are told of an upstream's usage: what it says, without counts that are none, and with our name for its model. */
export function toldUsage({ request }: Pick<Asked, 'request'>, usage: Fields): Fields {
  const { output_tokens_details: details, iterations: steps } = usage;
  const told = Object.entries(usage).slice(0, mostFields);
  const counts = told.filter(([name, value]) => !name.endsWith('_tokens') || isCount(value));
  return {
    ...Object.fromEntries(counts),
    ...(details !== undefined && {
      output_tokens_details: isFields(details) && isCount(details.thinking_tokens) ? details : null,
    }),
    ...(Array.isArray(steps) && { iterations: steps.map((step) => named(step, request.model)) }),
  };
}

const isCount = (value: unknown): boolean => readTokenCount(value) !== undefined;

const named = (step: unknown, model: string): unknown =>
  isFields(step) && 'model' in step ? { ...step, model } : step;
