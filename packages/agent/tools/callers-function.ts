import type { Tool } from '../tool.ts';

/** A function of the caller, as the model is told of it. The run ends where it is called, and its caller makes the call. */
interface CallersFunction {
  name: string;
  description?: string;
  /** A JSON schema. */
  parameters?: Record<string, unknown>;
  strict?: boolean;
}

export const callersFunction = ({ name, description = '', parameters, strict }: CallersFunction): Tool => ({
  name,
  description,
  parameters: { jsonSchema: parameters ?? { type: 'object', properties: {} } },
  strict,
  isCallers: true,
  readsOnly: true,
  timeoutMilliseconds: 0,
  sends: 'nothing',
  async run() {
    throw new Error('a function of the caller is called by the caller');
  },
});
