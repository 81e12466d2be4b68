import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../bundle-function.ts';
import { makeBaseImage, readBaseName } from './base-image.ts';
import { buildah, show } from './buildah.ts';
import { mountNpmSettings } from './npm-settings.ts';
import { tryImage } from './try-image.ts';

const options = {
  tag: { type: 'string', default: 'errand' },
  /** Takes the place of the Dockerfile's base. */
  base: { type: 'string' },
  registry: { type: 'string', default: 'https://registry-1.docker.io' },
  mirror: { type: 'string', default: 'http://deb.debian.org/debian' },
  /** Starts the image, asks it for a run, starts it again. */
  try: { type: 'boolean', default: false },
} as const;

const answers = (url: string): Promise<boolean> =>
  fetch(new URL('/v2/', url), { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status === 200 || status === 401,
    () => false,
  );

/** Builds the Dockerfile with buildah. Where no registry has its base, one is made of Debian's packages. */
async function main(): Promise<void> {
  const { tag, base, registry, mirror, try: isTried } = parseArgs({ options }).values;
  const name = readBaseName(readFileSync(path.join(root, 'Dockerfile'), 'utf8'));
  const canPull = base !== undefined || (await answers(registry));
  if (!canPull) console.error(`${registry} does not answer: the base is made by debootstrap.`);
  const from = base ?? (canPull ? undefined : makeBaseImage(name, mirror));
  const folder = mkdtempSync(path.join(tmpdir(), 'errand-image-'));
  try {
    show(
      ...['buildah', 'build', '--format', 'docker', '--tag', tag],
      ...(from === undefined ? [] : ['--from', from]),
      ...mountNpmSettings(folder),
      root,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
  console.log(buildah('images', `localhost/${tag}`));
  if (isTried) await tryImage(tag);
}

await main().catch((error: unknown) => {
  const { code, path: program } = error as NodeJS.ErrnoException;
  console.error(
    code === 'ENOENT' && (program === 'buildah' || program === 'debootstrap')
      ? `${program} is not installed. On Debian: apt-get install buildah debootstrap`
      : error instanceof Error
        ? error.message
        : error,
  );
  process.exitCode = 1;
});
