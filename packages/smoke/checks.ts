import type { Check } from './check.ts';
import { bodies } from './checks/bodies.ts';
import { charges } from './checks/charges.ts';
import { chatStream } from './checks/chat-stream.ts';
import { document } from './checks/document.ts';
import { health } from './checks/health.ts';
import { keysApart } from './checks/keys-apart.ts';
import { message } from './checks/message.ts';
import { ownFunctions } from './checks/prefixes.ts';
import { rate } from './checks/rate.ts';
import { runChecks } from './checks/runs.ts';
import { savedFile, values } from './checks/saved.ts';
import { statuses } from './checks/statuses.ts';
import { upload } from './checks/upload.ts';

/** The checks that need nothing but the address and keys of a service, in their order. */
export const checks: readonly Check[] = [
  health,
  rate,
  ownFunctions,
  ...statuses,
  chatStream,
  message,
  ...runChecks,
  values,
  savedFile,
  keysApart,
  upload,
  document,
  ...bodies,
  charges,
];
