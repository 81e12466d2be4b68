import { mostEuro } from '../affordable.ts';
import { readPages } from '../books.ts';
import type { Check } from '../check.ts';
import { chatModel } from '../model.ts';
import { readEuro, showEuro } from '../money.ts';
import { must } from '../outcome.ts';

interface Page {
  entries: { requestId?: string; amount: string }[];
  cursor?: string;
}

/** The greatest difference between the clocks of this machine and of the service. */
const skewMilliseconds = 300_000;

export const cost: Check = {
  name: 'the cost',
  async run(scene) {
    const { id } = await chatModel(scene);
    const from = new Date(scene.startedAt - skewMilliseconds).toISOString();
    let nanoEuro = 0;
    for await (const page of readPages<Page>(scene, `/v1/credits/entries?from=${from}`))
      for (const { requestId, amount } of page.entries)
        if (requestId?.startsWith(scene.id)) nanoEuro -= readEuro(amount);
    const seen = `${showEuro(nanoEuro)} EUR, with the model ${id}`;
    // A caller who names a model has accepted its price, so the limit is higher.
    const [most, advice] =
      scene.model === undefined ? [mostEuro.unnamed, '; --model lets it cost more'] : [mostEuro.all, ''];
    must(nanoEuro <= readEuro(most), `${seen}: more than ${most} EUR${advice}`);
    return seen;
  },
};
