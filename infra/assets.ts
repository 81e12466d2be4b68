import { runScript } from './run-script.ts';

/** The assets are made from the sources as they stand. */
export const buildAssets = (): void => runScript('build-assets.ts');

export const copyAsset = (name: string) => ({ from: `dist/assets/${name}`, to: name });
