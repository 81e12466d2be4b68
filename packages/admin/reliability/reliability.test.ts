import type { Calibration, CalibrationReport } from '@errand/decisions';
import { expect, test } from 'vitest';
import { drawReliability } from './draw.ts';
import { failureLines, reportLines } from './lines.ts';

const bins = Array.from({ length: 10 }, (_, index) => ({
  from: index / 10,
  to: (index + 1) / 10,
  cases: index === 9 ? 4 : 0,
  ...(index === 9 && { confidence: 0.96, accuracy: 0.5 }),
}));
const measures = { accuracy: 0.5, brier: 0.25, ece: 0.46, nll: 1.5, bins };
const all: Calibration = { cases: 4, ...measures, temperature: 2.5, heldOut: measures };
const report: CalibrationReport = {
  ...all,
  temperatureBefore: 1,
  seed: 1,
  threshold: 0.5,
  byKind: { noul: all },
  byQuestion: { question: all },
  catalogue: { calibration: { temperature: 2.5 } },
  warnings: ['4 cases are few.'],
};
const spent = { inputTokens: 40, cost: '0.004', failed: [] };

/** The names of the elements in the order in which they end. Throws if one is closed that is not open. */
function endedElements(xml: string): string[] {
  const open: string[] = [];
  const ended: string[] = [];
  for (const [, slash, name = '', empty] of xml.matchAll(/<(\/?)([a-z]+)(?:\s+[\w-]+="[^"<]*")*\s*(\/?)>/g)) {
    if (slash && open.pop() !== name) throw new Error(`</${name}> closes nothing`);
    else if (slash || empty) ended.push(name);
    else open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join()} stay open`);
  return ended;
}

test('the drawing is XML in which every element ends, with a panel for all cases and one for each kind', () => {
  const svg = drawReliability('judge', report);
  const ended = endedElements(svg);
  expect(ended.at(-1)).toBe('svg');
  expect(ended.filter((name) => name === 'g')).toHaveLength(2);
  expect(svg.match(/class="bar"/g)).toHaveLength(2);
  expect(svg.replaceAll(/<[?/]?[a-z][^<>]*>/g, '')).not.toMatch(/[<>&]/);
});

test('a bar is as high as the share that was right, and a circle is at the mean confidence', () => {
  const svg = drawReliability('judge', report);
  expect(svg).toContain('class="bar" x="181" y="100" width="18" height="100"');
  expect(svg).toContain('class="held" cx="192" cy="100"');
});

test('signs of XML in a name are no elements', () => {
  expect(drawReliability('a<b>&"', report)).toContain('Reliability of a&#60;b&#62;&#38;&#34;');
});

test('a line of the diagram has the share that was right as a bar, and a mark at the mean confidence', () => {
  const lines = reportLines('judge', report, spent);
  expect(lines).toContain(`0.9-1.0      4  ${'#'.repeat(25)}${'.'.repeat(23)}|..`);
  expect(lines.filter((line) => line.startsWith('0.'))).toHaveLength(2);
});

test('the last line is what the catalogue can have, after the warnings', () => {
  const snippet = 'For the catalogue: "calibration": { "temperature": 2.5 }';
  expect(reportLines('judge', report, spent).slice(-2)).toEqual(['Warning: 4 cases are few.', snippet]);
  const { catalogue: _, ...without } = report;
  expect(reportLines('judge', without, spent)).not.toContain(snippet);
});

test('an offset has a line of its own, and is in the last line if it is to be in the catalogue', () => {
  const lines = reportLines(
    'judge',
    {
      ...report,
      offsetBefore: 0.25,
      withOffset: { temperature: 2, offset: -0.5, heldOut: { ...measures, nll: 0.75 } },
      catalogue: { calibration: { temperature: 2, offset: -0.5 } },
    },
    spent,
  );
  expect(lines).toContain("At the catalogue's temperature, 1, offset 0.25:");
  expect(lines).toContain('With an offset for noul: 2, offset -0.5 (NLL of held-out cases 0.7500)');
  expect(lines.at(-1)).toBe('For the catalogue: "calibration": { "temperature": 2, "offset": -0.5 }');
});

test('questions have rows where there are several, and figures that cases do not have are a dash', () => {
  const rowsOf = (byQuestion: CalibrationReport['byQuestion']) =>
    reportLines('judge', { ...report, byQuestion }, spent).filter((line) => /^(late|urgent) /.test(line));
  expect(rowsOf({ late: all })).toEqual([]);
  const rows = rowsOf({ late: all, urgent: { ...all, auroc: 0.875 } });
  expect(rows).toHaveLength(4);
  expect(rows[0]).toMatch(/^late +4 +0\.5000 +0\.2500 +- +- +- +- +0\.4600 +1\.5000$/);
  expect(rows[1]).toContain('0.8750');
});

test('a kind whose fit ends at a bound has no temperature', () => {
  const byKind = {
    noul: { ...all, temperature: 0.05 },
    choice: { ...all, temperature: 2.25 },
    score: { ...all, temperature: 20 },
  };
  expect(reportLines('judge', { ...report, byKind }, spent)).toContain(
    'Fitted temperature: 2.5 (each kind alone: noul none, choice 2.25, score none)',
  );
});

test('a failure has its line and its reason in words', () => {
  expect(
    failureLines([
      { line: 3, code: 'context_length_exceeded' },
      { line: 9, code: 'stopping' },
    ]),
  ).toEqual(["line 3 failed: the case does not fit the model's context", 'line 9 failed: stopping']);
});

test('failures with the same reason share a line, which names the first three and counts all', () => {
  const failed = [2, 4, 5, 7, 8, 9].map((line) => ({
    line,
    code: line === 4 || line === 9 ? ('at_capacity' as const) : ('unreadable_answer' as const),
  }));
  expect(failureLines(failed)).toEqual([
    'lines 2, 5, 7 ... (4) failed: the answer cannot be read, or its labels hold too little',
    "lines 4, 9 failed: the model's server is busy, or cannot be reached",
  ]);
});
