import { parseJson } from '@errand/platform';
import { withOrderedSchema } from './output-schema.ts';

/** What an agent's JSON says, not yet validated. Throws `malformed_json`. The nesting of the text is bounded before. */
export const readAgentText = (text: string): unknown => withOrderedSchema(parseJson(text), text);
