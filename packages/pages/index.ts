export { manifestName, type PageFile } from './manifest.ts';
export { mountPages } from './mount-pages.ts';
