import type { Run } from '@errand/client';
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { errand } from '../session/session.ts';
import type { StepFigures } from './step-figures.ts';

const none: ReadonlyMap<number, StepFigures> = new Map();

/** The figures of a run that is over, once somebody looks at its steps. Without them the steps stand alone. */
export function useStepFigures(run: Run | undefined, looked: boolean): ReadonlyMap<number, StepFigures> {
  const figures = useSignal(none);
  const over = run !== undefined && run.status !== 'queued' && run.status !== 'running';
  useEffect(() => {
    if (!over || !looked) return;
    void import('./step-figures.ts')
      .then(({ readStepFigures }) => readStepFigures(errand(), run))
      .then((read) => {
        figures.value = read;
      })
      .catch(() => {});
  }, [over, looked, figures]);
  return figures.value;
}
