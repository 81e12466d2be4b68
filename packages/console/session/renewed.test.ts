import { expect, test } from 'vitest';
import { renewed } from './renewed.ts';

const pageOf = (entries: string, cursor?: string) => ({ entries: [...entries], cursor });
const renew = (shown: ReturnType<typeof pageOf>, page: ReturnType<typeof pageOf>) =>
  renewed(shown, page, (entry) => entry);

test('a renewed list has what is new, lacks what is gone, and keeps what lies behind the page', () => {
  expect(renew(pageOf('dcba', 'a'), pageOf('edb', 'b'))).toEqual(pageOf('edba', 'a'));
  expect(renew(pageOf('dcba', 'a'), pageOf('edcba', 'a'))).toEqual(pageOf('edcba', 'a'));
});

test('a renewed list ends with its page where nothing follows, and where all of it is new', () => {
  expect(renew(pageOf('dcba', 'a'), pageOf('ed'))).toEqual(pageOf('ed'));
  expect(renew(pageOf('ba', 'a'), pageOf('fed', 'd'))).toEqual(pageOf('fed', 'd'));
});

test('a list stays as it is where the service has looked through all that it may, and found nothing', () => {
  expect(renew(pageOf('ba', 'a'), pageOf('', 'x'))).toEqual(pageOf('ba', 'a'));
});
