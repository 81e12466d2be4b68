/** An index that comes as often as its probability says. */
export function draw(probabilities: readonly number[], random: () => number): number {
  let left = random();
  const found = probabilities.findIndex((probability) => {
    left -= probability;
    return left < 0;
  });
  return found < 0 ? probabilities.length - 1 : found;
}
