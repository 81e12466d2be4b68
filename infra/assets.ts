import { runScript } from './run-script.ts';

/** Makes the assets anew from the sources. */
export const buildAssets = (): void => runScript('build-assets.ts');

export const copyAsset = (name: string) => ({ from: `dist/assets/${name}`, to: name });
