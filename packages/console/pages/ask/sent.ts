import { perKey } from '../../session/per-key.ts';

/** The files that went along with runs of this session, by the runs' ids. The service gives none back. */
export const sentFiles = perKey(() => new Map<string, File>());

/** What was asked in this session, whole: a run shows the beginning of its question alone. */
export const sentQuestions = perKey(() => new Map<string, string>());
