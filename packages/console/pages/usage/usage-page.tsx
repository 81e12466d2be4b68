import { useEffect } from 'preact/hooks';
import { curlOf } from '../../calls/curl.ts';
import { literal, typescriptOf } from '../../calls/typescript.ts';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { SameCall } from '../../parts/same-call.tsx';
import { StackedBars } from '../../parts/stacked-bars.tsx';
import { Credits } from './credits.tsx';
import { formats } from './formats.ts';
import { toSeries, withOthers } from './tally.ts';
import { UsageControls } from './usage-controls.tsx';
import { usage } from './usage-state.ts';
import { UsageTable } from './usage-table.tsx';

export function UsagePage() {
  const state = usage();
  useEffect(() => {
    state.load();
    void state.credits.load();
  }, [state]);
  const { data, error } = state.rows;
  const reversed = state.isReversed.value;
  const measure = state.measure.value;
  const series = data.value ? toSeries(data.value.rows, data.value.group) : undefined;
  const format = formats[measure];
  return (
    <>
      <PageHead
        title="Usage"
        actions={
          <button type="button" onClick={state.saveCsv} disabled={reversed || state.saving.busy.value}>
            Download CSV
          </button>
        }
      >
        What the account's work has cost, in money and to the climate. Days are in UTC.
      </PageHead>
      <ErrorNotice error={state.credits.error.value ?? state.saving.error.value} />
      <Credits />
      <UsageControls />
      <div role="alert">
        {reversed && <p class="notice bad">“From” is after “To”: there are no days between them.</p>}
      </div>
      {!reversed && <ErrorNotice error={error.value} retry={state.load} />}
      {!reversed && series?.length === 0 && <p class="empty">Nothing was used in this time.</p>}
      {!reversed && data.value && series && series.length > 0 && (
        <>
          <StackedBars
            label={`${measure} by day and ${data.value.group}`}
            places={data.value.days}
            format={format}
            series={withOthers(series).map(({ name, days }) => ({
              name,
              values: new Map([...days].map(([day, sums]) => [day, sums[measure]])),
            }))}
          />
          <UsageTable series={series} group={data.value.group} />
        </>
      )}
      <SameCall
        call={() => ({
          curl: curlOf({ path: `/v1/usage?${new URLSearchParams(state.query())}` }, location.origin),
          typescript: typescriptOf(
            location.origin,
            `const { data } = await errand.api.GET('/v1/usage', {`,
            `  params: { query: ${literal(state.query())} },`,
            '});',
            'console.log(data);',
          ),
        })}
      />
    </>
  );
}
