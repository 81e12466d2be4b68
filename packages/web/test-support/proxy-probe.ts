import { guardedFetch } from '../fetch.ts';
import { readAll } from './read-all.ts';

/** This file runs as a process of its own, because the runtime reads proxies from the environment when it starts. */
const [url, allowed] = process.argv.slice(2);
const response = await guardedFetch({ allowedHosts: new Set([allowed!]) }, { url: url! });
process.stdout.write(await readAll(response));
