import { expect, test } from 'vitest';
import { nextInstants } from './next-instants.ts';
import { newSchedule, type Schedule, toBody, toDraft, toPatch } from './schedule-draft.ts';

const schedule: Schedule = {
  id: 'schedule_1',
  name: 'News',
  agent: 'researcher',
  cron: '0 7 * * *',
  timeZone: 'Europe/Amsterdam',
  overlap: 'queue',
  until: '2027-01-31T12:00:30.000Z',
  notifyIf: { question: 'Is there anything new?', threshold: 0.8 },
  paused: false,
  metadata: { team: 'docks' },
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
  outcomes: [],
};

test('a schedule that is saved as it was read is not changed', () => {
  expect(toPatch(schedule, toDraft(schedule))).toEqual({});
});

test('a change names what the form has changed, and takes away what it has no more', () => {
  const draft = { ...toDraft(schedule), timing: 'every', every: '6h', until: '', notifyIf: '' } as const;
  expect(toPatch(schedule, draft)).toEqual({ cron: null, every: '6h', until: null, notifyIf: null });
});

test('a new schedule has no field that is empty', () => {
  const body = JSON.parse(JSON.stringify(toBody({ ...newSchedule(), timeZone: 'UTC', question: ' What? ' })));
  expect(body).toEqual({ question: 'What?', cron: '0 7 * * 1-5', timeZone: 'UTC', overlap: 'skip' });
});

test('the next times of a pattern are those of its time zone, once each where the clock is changed', () => {
  const after = new Date('2026-03-28T00:00:00Z');
  expect(nextInstants('30 2 * * *', 'Europe/Amsterdam', after)).toEqual([
    'Sat, 28 Mar 2026, 02:30 CET',
    'Sun, 29 Mar 2026, 03:00 CEST',
    'Mon, 30 Mar 2026, 02:30 CEST',
    'Tue, 31 Mar 2026, 02:30 CEST',
    'Wed, 1 Apr 2026, 02:30 CEST',
  ]);
});

test.each(['', '* * * *', '0 0 0 * * *', 'often', '61 * * * *'])('%j is no pattern', (text) => {
  expect(nextInstants(text, 'UTC', new Date(0))).toBeUndefined();
});
