import { runScript } from './run-script.ts';

export const buildAssets = (): void => void runScript('build-assets.ts');

export const copyAsset = (name: string) => ({ from: `dist/assets/${name}`, to: name });
