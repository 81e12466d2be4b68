interface Told {
  id: string;
  scope: string;
  name: string;
  version: number | null;
  enabled: boolean;
}

/** A skill or an agent in a line. */
export const namedLine = ({ id, scope, name, version, enabled }: Told): string =>
  [id, scope, name, version === null ? 'unversioned' : `version ${version}`, enabled ? '' : 'disabled']
    .filter(Boolean)
    .join('  ');
