const blocks = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One block for each value, as high as its share of the largest; a space for nothing. */
export function sparkline(values: readonly number[]): string {
  const largest = Math.max(0, ...values);
  return values
    .map((value) =>
      value > 0 ? blocks[Math.min(blocks.length - 1, Math.floor((value / largest) * blocks.length))] : ' ',
    )
    .join('');
}

/** A share from 0 to 1 as a bar. */
export function bar(share: number, cells: number): string {
  const full = Math.round(Math.min(1, Math.max(0, share)) * cells);
  return '█'.repeat(full) + '░'.repeat(cells - full);
}
