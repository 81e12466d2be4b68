import { expect, test } from 'vitest';
import { readSources } from './sources.ts';

/** The local room plays DynamoDB's time to live, for which nobody waits. */
const sources = readSources().filter(
  ({ file, room, isTest }) =>
    !isTest && room !== 'local' && file.startsWith('packages/') && !file.startsWith('packages/platform/aws/'),
);

test('items are written in one way, which gives every condition a name', () => {
  const raw =
    /\b((Put|Update|Delete|TransactWrite|BatchWrite)(Item|Items)?Command|ConditionalCheckFailedException)\b/;
  const imports = /import (?:type )?\{([^}]*)\} from '@aws-sdk\/(?:lib|client)-dynamodb'/g;
  const wrong = sources.flatMap(({ file, text }) =>
    [...text.matchAll(imports)].filter(([, names = '']) => raw.test(names)).map(() => file),
  );
  expect(wrong).toEqual([]);
});
