import type { Bin, Calibration, CalibrationReport } from '@errand/decisions';

const side = 200;
const left = 44;
const top = 64;
const panelWidth = side + 60;
const height = top + side + 76;

const style = `
  svg { color-scheme: light dark; font: 12px system-ui, sans-serif; }
  .ground { fill: #fff; } text { fill: #222; } .frame { fill: none; stroke: #888; }
  .ideal { stroke: #888; stroke-dasharray: 4 3; } .bar { fill: #3b7dd8; fill-opacity: .75; }
  .held { fill: none; stroke: #c2410c; stroke-width: 1.5; } .middle { text-anchor: middle; } .end { text-anchor: end; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #16181d; } text { fill: #e6e6e6; } .bar { fill: #6ea8ff; } .held { stroke: #ff9d5c; }
  }`;

/** The reliability diagrams of all cases and of each kind, as an SVG document. */
export function drawReliability(model: string, report: CalibrationReport): string {
  const panels = [['all', report] as const, ...Object.entries(report.byKind)];
  const width = panelWidth * panels.length + 20;
  const title = `Reliability of ${model}, ${report.cases} cases`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${xmlText(title)}</title>
<style>${style}
</style>
<rect class="ground" width="${width}" height="${height}"/>
<text x="12" y="20">${xmlText(title)}</text>
${panels.map(([name, part], index) => panel(name, part, index * panelWidth)).join('\n')}
<text x="12" y="${height - 12}">bar: at temperature ${report.temperatureBefore}; circle: at the fitted temperature, held out</text>
</svg>
`;
}

function panel(name: string, part: Calibration, x: number): string {
  const { cases, ece, bins, heldOut } = part;
  const ticks = [0, 0.5, 1].flatMap((value) => [
    `<text class="middle" x="${at(value)}" y="${side + 16}">${value}</text>`,
    `<text class="end" x="-6" y="${side - at(value) + 4}">${value}</text>`,
  ]);
  return `<g transform="translate(${x + left} ${top})">
<text x="0" y="-20">${xmlText(name)}: ${cases} cases</text>
<text x="0" y="-6">ECE ${ece.toFixed(3)}, held out ${heldOut.ece.toFixed(3)}</text>
${bins.flatMap(bar).join('\n')}
<line class="ideal" x1="0" y1="${side}" x2="${side}" y2="0"/>
${heldOut.bins.flatMap(circle).join('\n')}
<rect class="frame" width="${side}" height="${side}"/>
${ticks.join('\n')}
<text class="middle" x="${side / 2}" y="${side + 32}">confidence (vertical: share right)</text>
</g>`;
}

const bar = ({ from, to, cases, accuracy = 0 }: Bin): string[] =>
  cases === 0
    ? []
    : [
        `<rect class="bar" x="${at(from) + 1}" y="${at(1 - accuracy)}" width="${at(to - from) - 2}" height="${at(accuracy)}"><title>${cases} cases</title></rect>`,
      ];

const circle = ({ confidence, accuracy }: Bin): string[] =>
  confidence === undefined || accuracy === undefined
    ? []
    : [`<circle class="held" cx="${at(confidence)}" cy="${at(1 - accuracy)}" r="4"/>`];

/** A share of the side in pixels, with as many decimals as one sees. */
const at = (share: number): number => Number((share * side).toFixed(2));

const xmlText = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
