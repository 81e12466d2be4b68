import buildPages from './build-pages.ts';
import bundleThreads from './bundle-threads.ts';

// What a process that runs the sources needs beside them. Nothing is made again that is fresh.
await Promise.all([bundleThreads(), buildPages()]);
