import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Component {
  'bom-ref': string;
  name: string;
  version: string;
}

interface Bill {
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn?: string[] }[];
}

const root = path.resolve(import.meta.dirname, '..');
const readJson = (file: string) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const { name } = readJson('package.json') as { name: string };

interface LockEntry {
  version?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

const { packages } = readJson('package-lock.json') as { packages: Record<string, LockEntry> };

/** `name@version` of what is installed for production in some place. The same may be there for development in another. */
const deployed: ReadonlySet<string> = new Set(
  Object.entries(packages)
    .filter(
      ([place, { link, dev, optional, devOptional }]) =>
        !place.startsWith('test/') && !link && !dev && !optional && !devOptional,
    )
    // npm names the packages of the project by their folders.
    .map(([place, { version }]) => `${place.replace(/^.*node_modules\/|^packages\//, '')}@${version}`),
);

/** Optional peers of production packages. Bundles have them, because packages for development bring them along. */
const bundledPeers: ReadonlySet<string> = new Set(['zod']);

/** Packages for development whose code is in the pages that browsers get. */
const shown: ReadonlySet<string> = new Set([
  '@preact/signals',
  '@preact/signals-core',
  'marked',
  'preact',
  'swagger-ui-dist',
  'temml',
]);

const isDeployed = ({ name, version }: Component): boolean =>
  bundledPeers.has(name) || shown.has(name) || deployed.has(`${name}@${version}`);

/**
 * npm's CycloneDX document of the lock file, without what is only for development or optional. npm's own `--omit` (11.19)
 * leaves out production dependencies too, if another package has them for development.
 */
function readBill(): Bill {
  const format = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...format], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: process.platform === 'win32',
  });
  const bill = JSON.parse(text) as Bill;
  const { component } = bill.metadata;
  const components = bill.components.filter(isDeployed);
  const refs = new Set([component, ...components].map((each) => each['bom-ref']));
  const dependencies = bill.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));
  // npm names the project by its folder.
  return {
    ...bill,
    metadata: { ...bill.metadata, component: { ...component, name } },
    components,
    dependencies,
  };
}

console.log(JSON.stringify(readBill(), null, 2));
