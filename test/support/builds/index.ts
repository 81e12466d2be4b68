import { type Builds, createBuilds } from './create-builds.ts';

/** The builds that all test files of a run share. Outside of vitest the process has builds of its own. */
export const builds: Builds = openBuilds();

function openBuilds(): Builds {
  const url = process.env.ERRAND_TEST_BUILDS;
  if (url !== undefined) {
    const ask =
      (what: keyof Builds) =>
      (...given: unknown[]): Promise<string> =>
        askOwner(url, what, given);
    return {
      bundle: ask('bundle'),
      readable: ask('readable'),
      assets: ask('assets'),
      service: ask('service'),
      stack: ask('stack'),
    };
  }
  return createBuilds();
}

async function askOwner(url: string, what: keyof Builds, given: unknown[]): Promise<string> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ what, given }) });
  const { made, failure } = (await response.json()) as { made?: string; failure?: string };
  if (made === undefined) throw new Error(failure);
  return made;
}
