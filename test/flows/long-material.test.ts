import { makePdf } from '@errand/documents/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { wav } from '../support/wav.ts';
import { openBucket, png, type TestBucket } from '../uploads/support.ts';
import { lastChapter, longText } from './support/long-texts.ts';
import { spoken } from './support/outside-world.ts';
import { call, confirm, type Flows, openingOf, toolMessages, useFlows } from './support/use-flows.ts';

let flows: Flows;
let bucket: TestBucket;

useFlows((started) => {
  flows = started;
});

beforeAll(async () => {
  bucket = await openBucket(flows.service);
});

afterAll(() => bucket.close());

const megabytes = 3_000_000;
const noon = 'The pilot wrote that high water comes at noon on Sundays.';
const toll = 'The lighthouse keeper asks seven ducats of every ship.';
const tome = longText(megabytes, { 900: noon, 1500: toll });
const file = { name: 'tome.txt', bytes: tome };
const question = 'When does high water come on Sundays?';

/** The numbers of passages in a text: 12 for `[Passage 12 of 310 ...]`. */
const passageNumbers = (text: string): number[] =>
  [...text.matchAll(/^\[Passage (\d+) of \d+/gm)].map(([, number]) => Number(number));

/** The last entry of an outline: `3009: Chapter 3009`. */
const lastHeading = (text: string): number =>
  Number([...text.matchAll(/^\d+: Chapter (\d+)$/gm)].at(-1)?.[1]);

const parse = (url: string, more: object = {}) => [call('document_parse', { url, ...more })];

describe('an uploaded document of several megabytes', () => {
  test('reaches the model as outline and best passages for the question, not as its beginning', async () => {
    await flows.run([{ text: 'At noon [1].' }], { question }, file);
    const opening = openingOf(flows.asked()[0]);
    expect(opening).toContain(noon);
    expect(opening).not.toContain(toll);
    expect(opening).toMatch(/\[Outline \(\d+ of \d+ headings\)/);
    expect(lastHeading(opening)).toBeGreaterThan(0.9 * lastChapter(tome));
    expect(opening).toMatch(/This material has \d{4} passages \(\d{7} characters\)/);
    expect(opening.length).toBeLessThan(25_000);
  });

  test('is read on by its name, with a query and from a passage', async () => {
    const { results } = await flows.run(
      [
        parse('tome.txt', { query: 'ducats lighthouse' }),
        parse('tome.txt', { from: 2_000 }),
        { text: 'Seven.' },
      ],
      { question },
      file,
    );
    expect(results[0]).toContain(toll);
    expect(results[0]).not.toContain(noon);
    const numbers = passageNumbers(results[1]!);
    expect(numbers[0]).toBe(2_000);
    expect(numbers).toEqual(numbers.map((_, i) => 2_000 + i));
    expect(toolMessages(flows.asked()[2])).toEqual(results);
  });

  test('is known by one number, however often it is read', async () => {
    const { results } = await flows.run(
      [parse('tome.txt', { query: 'ducats' }), { text: 'Seven.' }],
      { question },
      file,
    );
    expect(openingOf(flows.asked()[0])).toContain('Text of the attached document, source [1]');
    expect(results[0]).toMatch(/^\[1\] tome\.txt\n/);
  });
});

describe('a long document or page at an address', () => {
  test.each([
    ['document_parse', '/tome.txt', 'text/plain'],
    ['web_crawl', '/tome.html', 'text/html'],
  ])('is shown by %s in part, and read on without another request', async (tool, path, type) => {
    const body =
      type === 'text/plain'
        ? tome
        : `<h1>All</h1>${tome.replaceAll(/^# (.*)$/gm, '<h2>$1</h2>').replaceAll(/^([a-zT].*)$/gm, '<p>$1</p>')}`;
    flows.world.pages.set(path, { type, body });
    const url = flows.world.url + path;
    const { results } = await flows.run(
      [
        [call(tool, { url })],
        [call(tool, { url, query: 'ducats lighthouse' })],
        [call(tool, { url: `${url}#part`, from: 1_500 })],
        { text: 'Seven.' },
      ],
      { question },
    );
    expect(results[0]).toContain(noon);
    expect(results[1]).toContain(toll);
    expect(passageNumbers(results[2]!)[0]).toBe(1_500);
    for (const result of results) expect(result).toMatch(/^\[1\] /);
    expect(flows.world.asked).toEqual([`page ${path}`]);
  });

  test('is fetched once for all calls of one turn, whichever tools they use', async () => {
    flows.world.pages.set('/tome.txt', { type: 'text/plain', body: tome });
    const url = `${flows.world.url}/tome.txt`;
    const { results } = await flows.run(
      [
        [
          call('document_parse', { url }),
          call('document_parse', { url, query: 'ducats lighthouse' }),
          call('web_crawl', { url, from: 7 }),
        ],
        { text: 'Seven.' },
      ],
      { question },
    );
    expect(results[0]).toContain(noon);
    expect(results[1]).toContain(toll);
    expect(passageNumbers(results[2]!)[0]).toBe(7);
    expect(flows.world.asked).toEqual(['page /tome.txt']);
  });

  test('is fetched again after a fetch that failed', async () => {
    const url = `${flows.world.url}/late.txt`;
    const answers = [parse(url), parse(url), { text: 'Late.' }];
    const { results } = await flows.run(answers);
    expect(results).toEqual(Array(2).fill('Error: Failed to fetch document from URL: 404 Not Found'));
    expect(flows.world.asked).toHaveLength(2);
  });

  test('that is a PDF is read by web_crawl', async () => {
    flows.world.pages.set('/tides.pdf', {
      type: 'application/pdf',
      body: makePdf([['The tides'], ['High water is at noon.']]),
    });
    const { results } = await flows.run([
      [call('web_crawl', { url: `${flows.world.url}/tides.pdf` })],
      { text: 'Noon.' },
    ]);
    expect(results[0]).toContain('High water is at noon.');
  });
});

const transcriptions = () => flows.world.asked.filter((what) => what === 'speech').length;

describe('a recording', () => {
  test('at an address is transcribed and charged once, and read again by any tool', async () => {
    flows.world.pages.set('/talk.wav', { type: 'audio/wav', body: wav(60) });
    flows.world.transcript = spoken('The ferry leaves at six.');
    const audioUrl = `${flows.world.url}/talk.wav`;
    const { results, view } = await flows.run(
      [
        parse(audioUrl, { query: 'ferry' }),
        [call('audio_transcribe', { url: audioUrl })],
        { text: 'Six [1].' },
      ],
      { audioUrl },
    );
    expect(openingOf(flows.asked()[0])).toContain('Transcript of the recording, source [1]:');
    for (const result of results) expect(result).toContain('The ferry leaves at six.');
    expect(transcriptions()).toBe(1);
    expect(view.usage).toMatchObject({ audioSeconds: 60 });
    expect(view.citations).toMatchObject([{ type: 'url_citation', url: audioUrl }]);
  });

  test('that was uploaded is read again by its name without a second charge', async () => {
    flows.world.transcript = spoken('The ferry leaves at six.');
    const { results, view } = await flows.run(
      [
        parse('talk.wav', { query: 'ferry' }),
        [call('audio_transcribe', { url: 'talk.wav' })],
        { text: 'Six [1].' },
      ],
      {},
      { name: 'talk.wav', bytes: wav(60) },
    );
    expect(results).toHaveLength(3);
    for (const result of results) expect(result).toContain('The ferry leaves at six.');
    expect(transcriptions()).toBe(1);
    expect(view.usage).toMatchObject({ audioSeconds: 60 });
    expect(view.citations).toMatchObject([{ type: 'file_citation', filename: 'talk.wav' }]);
  });

  test('with a long transcript is shown in part, and the rest is found by a query', async () => {
    const minutes = Array.from({ length: 4_000 }, (_, i) => ({
      start: i * 5,
      end: i * 5 + 5,
      speaker: 'A',
      text: `Minute ${i} of the log about rope and sail and mast and hull and keel.`,
    }));
    minutes[3_500]!.text = 'Seven ducats are owed to the keeper.';
    flows.world.transcript = { duration: 20_000, language: 'en', segments: minutes };
    const { results } = await flows.run(
      [parse('talk.wav', { query: 'ducats keeper' }), { text: 'Seven.' }],
      {},
      { name: 'talk.wav', bytes: wav(60) },
    );
    expect(openingOf(flows.asked()[0]).length).toBeLessThan(25_000);
    expect(results[1]).toContain('Seven ducats are owed to the keeper.');
    expect(transcriptions()).toBe(1);
  });

  test('that could not be transcribed is not called a transcript', async () => {
    flows.world.transcript = undefined;
    await flows.run([{ text: 'Sorry.' }], {}, { name: 'talk.wav', bytes: wav(60) });
    const opening = openingOf(flows.asked()[0]);
    expect(opening).toContain('The recording could not be read. Error: ');
    expect(opening).not.toContain('Transcript');
  });
});

describe('an image', () => {
  test('that was uploaded is asked about again by its name', async () => {
    const { results } = await flows.run(
      [[call('vision', { imageUrl: 'dot.png', question: 'Which colour?' })], { text: 'Grey [1].' }],
      {},
      { name: 'dot.png', bytes: png },
    );
    expect(results.at(-1)).toBe('A grey pixel.');
    const opening = openingOf(flows.asked()[0]);
    expect(opening).toContain('Attached image: "dot.png"');
    expect(opening).not.toMatch(/https?:/);
    expect(toolMessages(flows.asked()[1])[0]).toMatch(/^\[1\] dot\.png/);
  });

  test('behind documentUrl is seen as an image, and its address is not named as a document', async () => {
    flows.world.pages.set('/dot.png', { type: 'image/png', body: png });
    await flows.run([{ text: 'Grey.' }], { documentUrl: `${flows.world.url}/dot.png` });
    const opening = openingOf(flows.asked()[0]);
    expect(opening).toContain('What the vision model sees in the image, source [1]');
    expect(opening).not.toContain('documentUrl');
  });
});

describe('what a run has read', () => {
  const materialOf = async (agentId: string) =>
    (await bucket.keys()).filter((key) => key.includes(agentId) && key.includes('material'));

  test('ends with the run', async () => {
    flows.world.pages.set('/tome.txt', { type: 'text/plain', body: tome });
    const { agentId } = await flows.run([parse(`${flows.world.url}/tome.txt`), { text: 'Noon.' }], {}, file);
    expect(await materialOf(agentId)).toHaveLength(2);
    const deleted = await flows.service.request(`/v1/agents/runs/${agentId}`, { method: 'DELETE' });
    expect(deleted.status).toBe(204);
    expect((await bucket.keys()).filter((key) => key.includes(agentId))).toEqual([]);
  });

  test('is read by no other run of the same account, neither by its name nor by its address', async () => {
    flows.world.pages.set('/tome.txt', { type: 'text/plain', body: tome });
    const url = `${flows.world.url}/tome.txt`;
    await flows.run([parse(url), { text: 'Noon.' }], {}, file);
    flows.world.pages.clear();
    const { results } = await flows.run([
      [...parse('tome.txt'), ...parse('upload'), ...parse(url)],
      { text: 'None.' },
    ]);
    expect(results).toHaveLength(3);
    for (const result of results) expect(result).toMatch(/^Error: /);
  });

  test('is deleted if the credits do not pay for the creation', async () => {
    const before = await bucket.keys();
    const { key } = await flows.service.newAccount('0.001');
    expect((await flows.create({ question }, file, key)).status).toBe(402);
    expect(await bucket.keys()).toEqual(before);
  });
});

test('the model confirms with the call that only the check offers', async () => {
  const { events } = await flows.run([{ text: 'Noon.' }, confirm]);
  expect(events.filter(({ type }) => type === 'tool_call')).toEqual([]);
});
