import path from 'node:path';
import { defineConfig } from 'vitest/config';

// Many tests start processes, and each would compile the same modules: with the cache they start in half the time.
process.env.NODE_COMPILE_CACHE ??= path.resolve('node_modules/.cache/compiled');

export default defineConfig({
  test: {
    include: ['packages/**/*.test.ts', 'functions/**/*.test.ts', 'test/**/*.test.ts'],
    globalSetup: ['test/support/builds/owner.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
