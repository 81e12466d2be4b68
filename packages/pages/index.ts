export { manifestName, type PageFile, readManifest } from './manifest.ts';
export { mountPages } from './mount-pages.ts';
