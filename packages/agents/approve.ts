import { approveRules } from './run-fields.ts';

interface Approve {
  approve?: string | readonly string[];
}

/** Which calls have to be approved. Without names, all that write have to be. */
interface ApproveRules {
  names: string[];
  except: string[];
  writes: boolean;
  /** Whether a decision model may approve calls. */
  isJudged: boolean;
}

/** In `approve`, before the name of a tool that is left out. */
const except = '!';

/** Undefined if no call has to be approved. */
export function readApprove({ approve = [] }: Approve): ApproveRules | undefined {
  const given = typeof approve === 'string' ? [approve] : approve;
  if (given.length === 0) return undefined;
  const listed = given.filter((name) => !approveRules.some((rule) => rule === name));
  const names = listed.filter((name) => !name.startsWith(except));
  return {
    names,
    except: listed.flatMap((name) => (name.startsWith(except) ? name.slice(except.length) : [])),
    writes: given.includes('writes') || names.length === 0,
    isJudged: given.includes('auto'),
  };
}

const serverOf = (name: string): string | undefined => /^(.+?)__/.exec(name)?.[1];

/** Whether one of the names may mean a tool that the other name means: a misspelt name asks about all tools of its server. */
const overlap = (name: string, other: string): boolean =>
  name === other || (serverOf(name) !== undefined && serverOf(name) === serverOf(other));

/** Whether the rules ask about no tool that this name leaves out. */
const allLeaveOut = ({ names, writes, except }: ApproveRules, name: string): boolean =>
  !names.some((asked) => overlap(asked, name)) && (!writes || except.includes(name));

/**
 * The rules of an agent with those of a run: who is asked about a call by either is asked about it. Undefined if the run would have a
 * model approve what the agent leaves to people.
 */
export function addApprovals(agents: Approve['approve'], runs: Approve['approve']): string[] | undefined {
  const [own, added] = [readApprove({ approve: agents }), readApprove({ approve: runs })];
  if (!own || !added) return [own ? agents : runs].flat().filter((rule) => rule !== undefined) as string[];
  if (added.isJudged && !own.isJudged) return undefined;
  const left = [
    ...own.except.filter((name) => allLeaveOut(added, name)),
    ...added.except.filter((name) => allLeaveOut(own, name)),
  ];
  return [
    ...(own.isJudged && added.isJudged ? ['auto'] : []),
    ...(own.writes || added.writes ? ['writes'] : []),
    ...new Set([...own.names, ...added.names]),
    ...[...new Set(left)].map((name) => except + name),
  ];
}
