import type { Resource } from './made-up-cloud.ts';

interface ResourceRequest {
  getType(): string;
  getName(): string;
  getParent(): string;
  getDependenciesList(): string[];
  getReplacementTrigger?(): { toJavaScript(): unknown } | undefined;
  getIgnorechangesList?(): string[];
}

/** Pulumi's mock of its engine, which keeps these two apart and tells the mocks of resources nothing of it. */
export interface Monitor {
  registerResource(request: ResourceRequest, callback: unknown): unknown;
  readResource(request: ResourceRequest & { getId(): string }, callback: unknown): unknown;
}

type Notes = Pick<Resource, 'within' | 'after' | 'readAs' | 'trigger' | 'ignored'>;

const keyOf = (type: string, name: string): string => `${type} ${name}`;
const nameOf = (urn: string): string => urn.slice(urn.lastIndexOf('::') + 2);

/** Notes what each resource belongs to and depends on, what makes it anew, and which resources are read rather than made. */
export function noteRequests(monitor: Monitor) {
  const noted = new Map<string, Notes>();
  const note = (request: ResourceRequest, notes: Notes): void => {
    const after = request.getDependenciesList().map(nameOf);
    const within = nameOf(request.getParent());
    const ignored = request.getIgnorechangesList?.() ?? [];
    const trigger = request.getReplacementTrigger?.()?.toJavaScript();
    noted.set(keyOf(request.getType(), request.getName()), {
      ...notes,
      within,
      ...(after.length > 0 && { after }),
      ...(ignored.length > 0 && { ignored }),
      ...(trigger !== undefined && { trigger }),
    });
  };
  const register = monitor.registerResource.bind(monitor);
  const read = monitor.readResource.bind(monitor);
  monitor.registerResource = (request, callback) => {
    note(request, {});
    return register(request, callback);
  };
  monitor.readResource = (request, callback) => {
    note(request, { readAs: request.getId() });
    return read(request, callback);
  };
  return { of: ({ type, name }: Resource): Notes => noted.get(keyOf(type, name)) ?? {} };
}
