import type { Rule } from '../sent.ts';

const mostParts = 10_000;

/** Numbers of parts, and their order when an upload ends. */
export const uploadProblems: Rule = ({ command, input }) => {
  const parts: { PartNumber: number }[] | undefined = input.MultipartUpload?.Parts;
  const numbers = parts?.map(({ PartNumber }) => PartNumber) ?? [];
  const problems = [input.PartNumber, ...numbers]
    .filter(
      (number) => number !== undefined && !(Number.isInteger(number) && number >= 1 && number <= mostParts),
    )
    .map((number) => `parts: ${number} is no part's number, which is 1 to ${mostParts}`);
  if (input.UploadId === '') problems.push('parts: UploadId is empty');
  if (command !== 'CompleteMultipartUpload') return problems;
  if (numbers.length === 0) problems.push('parts: an upload ends without any');
  if (numbers.some((number, i) => i > 0 && number <= (numbers[i - 1] ?? 0)))
    problems.push('parts: their numbers do not ascend');
  return problems;
};
