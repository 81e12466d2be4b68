import { execFileSync } from 'node:child_process';

/** On the project's own Node, whatever runs SST: the assets are made from the sources as they stand. */
export function buildAssets(): void {
  const { root } = $cli.paths;
  execFileSync(`${root}/node_modules/.bin/node`, [`${root}/scripts/build-assets.ts`], {
    cwd: root,
    stdio: 'inherit',
  });
}

export const copyAsset = (name: string) => ({ from: `dist/assets/${name}`, to: name });
