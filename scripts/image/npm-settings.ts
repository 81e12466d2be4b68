import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { run } from './buildah.ts';

const inside = '/run/errand-npm';

/**
 * Options with which npm works in the build as it does here: this user's settings, and the certificates that it trusts.
 * These files are mounted only while the build runs, so that nothing of them but the names of two empty files is in the image.
 */
export function mountNpmSettings(folder: string): string[] {
  const setting = (name: string) => run('npm', 'config', 'get', name, '--loglevel=error');
  const user = setting('userconfig');
  const lines = [existsSync(user) ? readFileSync(user, 'utf8') : ''];
  const mounts = [`${path.join(folder, 'npmrc')}:/root/.npmrc:ro`];
  const certificates = [process.env.NODE_EXTRA_CA_CERTS, setting('cafile')].find(
    (file) => file !== undefined && existsSync(file),
  );
  if (certificates !== undefined) {
    copyFileSync(certificates, path.join(folder, 'certificates'));
    lines.push(`cafile=${inside}/certificates`);
    mounts.push(`${path.join(folder, 'certificates')}:${inside}/certificates:ro`);
  }
  writeFileSync(path.join(folder, 'npmrc'), lines.join('\n'), { mode: 0o600 });
  return mounts.flatMap((mount) => ['--volume', mount]);
}
