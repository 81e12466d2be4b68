import path from 'node:path';
import { defineConfig } from 'vite';

const packages = path.resolve(import.meta.dirname, '..');

/** No file has inline scripts or styles, and none is fetched from elsewhere: the pages' policy forbids both. */
export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  resolve: { alias: { '@errand/client': path.join(packages, 'client/index.ts') } },
  // Set here, because otherwise the builder's environment decides, and the output may name files of the builder's machine.
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
  build: {
    outDir: path.resolve(packages, '../dist/console'),
    emptyOutDir: true,
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: false,
  },
});
