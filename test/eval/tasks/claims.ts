import { companyFacts } from '../world/facts.ts';
import type { World } from '../world/world.ts';
import type { Kit, Task } from './task.ts';

const taskCount = 6;
/** A report with fewer facts is no report. */
const leastFacts = 3;

/** Reports of which the policy gets some figures wrong. With proof, the service has each cited claim checked. */
const reports =
  (kind: 'claims' | 'proved-claims') =>
  ({ companies }: World): Kit => ({
    tasks: companies.slice(0, taskCount).map((company, i): Task => {
      const facts = companyFacts(company);
      return {
        id: `${kind}-${i + 1}`,
        kind,
        question: `Write a report about ${company.name}, ${kind === 'claims' ? 'as it is' : 'with proof'}.`,
        ...(kind === 'proved-claims' && { proof: true }),
        passages: facts.map(({ sentence }) => sentence),
        isRight: ({ answer }) => facts.filter(({ value }) => answer.includes(value)).length >= leastFacts,
      };
    }),
  });

export const claims = reports('claims');
export const provedClaims = reports('proved-claims');
