import { mostEuro } from '../affordable.ts';
import { type Check, must } from '../check.ts';
import { readEuro, showEuro } from '../money.ts';

interface Page {
  entries: { requestId?: string; amount: string }[];
  cursor?: string;
}

/** Clocks may differ by as much. */
const skewMilliseconds = 300_000;

export const cost: Check = {
  name: 'the cost',
  async run(scene) {
    const { id } = await scene.chatModel();
    const from = new Date(scene.startedAt - skewMilliseconds).toISOString();
    let nanoEuro = 0;
    let cursor: string | undefined;
    do {
      const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const answer = await scene.ask(`/v1/credits/entries?from=${from}${more}`);
      const page = await answer.json<Page>();
      must(answer.status === 200 && page !== undefined, `GET /v1/credits/entries: ${answer.status}`);
      for (const { requestId, amount } of page.entries)
        if (requestId?.startsWith(scene.id)) nanoEuro -= readEuro(amount);
      cursor = page.cursor;
    } while (cursor !== undefined);
    const seen = `${showEuro(nanoEuro)} EUR, with the model ${id}`;
    must(nanoEuro <= readEuro(mostEuro.all), `${seen}: more than ${mostEuro.all} EUR`);
    return seen;
  },
};
