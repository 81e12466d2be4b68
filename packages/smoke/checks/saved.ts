import type { Check } from '../check.ts';
import { send } from '../http/client.ts';
import { sendElsewhere } from '../http/elsewhere.ts';
import { must, Skipped } from '../outcome.ts';
import { callsOf, fileContent, fileName, savingRun, valueNames } from '../saving-run.ts';
import { excerpt } from '../show.ts';

export const values: Check = {
  name: 'saved values with odd names',
  async run(scene) {
    const { followed, values: given } = await savingRun(scene);
    const saved = callsOf(followed, 'save_data').map(({ input }) => String(nameIn(input)));
    const called = valueNames.filter((name) => saved.includes(name));
    if (called.length === 0) throw new Skipped('the model did not call save_data with these names');
    for (const name of called) {
      const path = `/v1/values/${encodeURIComponent(name)}`;
      const read = await scene.ask(path);
      const text = await read.text();
      const found = read.status === 200 ? (JSON.parse(text) as { name: string; value: string }) : undefined;
      const right = found?.name === name && found.value === given.get(name);
      must(right, `GET ${path}: ${read.status} ${excerpt(text)}`);
      const deleted = await scene.ask(path, { method: 'DELETE' });
      must(deleted.status === 204, `DELETE ${path}: ${deleted.status}`);
      const gone = await scene.ask(path);
      must(gone.status === 404, `GET ${path} after its deletion: ${gone.status}`);
    }
    const rest = called.length < valueNames.length ? `; the model saved no other` : '';
    return `${called.join('  ')} saved, read and deleted${rest}`;
  },
};

function nameIn(input: string): unknown {
  try {
    return (JSON.parse(input) as { name?: unknown }).name;
  } catch {
    return undefined;
  }
}

export const savedFile: Check = {
  name: "a saved file's link",
  async run(scene) {
    const { followed } = await savingRun(scene);
    const results = callsOf(followed, 'save_file').map(({ result = '' }) => result);
    if (results.length === 0) throw new Skipped('the model did not call save_file');
    if (results.every((result) => result.includes('not enabled')))
      throw new Skipped('saving files is switched off');
    const link = results.join(' ').match(/https?:\/\/\S+signature=[\w-]+/)?.[0];
    if (link === undefined) throw new Skipped(`no file was saved: ${excerpt(results.join(' '))}`);
    must(
      link.startsWith(`${scene.baseUrl}/`),
      `the link begins with ${new URL(link).origin}, not with the base URL`,
    );
    scene.traces.links.add(link);
    for (const method of ['HEAD', 'GET']) {
      const led = await send(link, { method });
      const to = led.headers.location ?? '';
      await led.text();
      must(led.status === 302 && to !== '', `${method} the link: ${led.status}`);
      const answer = await sendElsewhere(scene.baseUrl, to, { method });
      const text = await answer.text();
      must(answer.status === 200, `${method} the storage: ${answer.status} ${excerpt(text)}`);
      must(text === (method === 'GET' ? fileContent : ''), `${method} the storage: ${excerpt(text)}`);
    }
    const altered = await send(
      link.replace(/signature=./, (found) => (found.endsWith('A') ? 'signature=B' : 'signature=A')),
      {},
    );
    must(altered.status === 403, `GET an altered link: ${altered.status}`);
    return `${fileName} as ${new URL(link).pathname.split('/').at(-1)}: HEAD, GET, and 403 once it is altered`;
  },
};
