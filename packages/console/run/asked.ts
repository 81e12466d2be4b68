import type { Run } from '@errand/client';

/** What a run was asked. Runs that the console of an earlier release started have it in their metadata. */
export const askedOf = ({ question, metadata }: Run): string | undefined => question ?? metadata?.question;
