/** A short report of a harbour that does not exist, for a question whose answer cites it. */
export const report = `# Port of Ellerhaven: the year in short

## Ships
In 2025, 1,284 ships called at Ellerhaven, 96 more than the year before.

## Delays
Fog was the main cause of delays: ships waited 410 hours outside the harbour, against 260 hours in 2024.
Since October a second radar at the northern mole lets ships enter at a sight of 300 metres; before, they needed 800.

## Money
The harbour earned 18.2 million euros. Repairs of the quay cost 2.4 million, half of it for the eastern wall.
`;
