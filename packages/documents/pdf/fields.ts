import { lineText, type PdfLine, type PdfSegment } from './lines.ts';

/** Text that was filled into a form or written onto the page. The page's own text does not hold it. */
interface PdfField {
  lines: string[];
  /** The form's description of the field for people who cannot see the page. */
  label: string;
  left: number;
  right: number;
  bottom: number;
  top: number;
}

/** The part of PDF.js's annotations that is used here. */
export interface PdfAnnotation {
  subtype?: string;
  url?: string;
  rect?: number[];
  annotationFlags?: number;
  fieldType?: string | null;
  fieldValue?: string | string[] | null;
  options?: { exportValue: string; displayValue: string }[];
  checkBox?: boolean;
  radioButton?: boolean;
  exportValue?: string;
  buttonValue?: string | null;
  password?: boolean;
  alternativeText?: string;
  contentsObj?: { str: string };
}

const hiddenOrNoView = 2 | 32;
const checked = '☑';
const unchecked = '☐';
const isMark = (text: string): boolean => text === checked || text === unchecked;
const defaultSize = 10;

/** The fields and notes that are visible and filled in. */
export function readFields(annotations: readonly PdfAnnotation[]): PdfField[] {
  return annotations.flatMap((annotation) => {
    const [left, bottom, right, top] = annotation.rect ?? [];
    const isSeen = ((annotation.annotationFlags ?? 0) & hiddenOrNoView) === 0;
    const lines = isSeen ? filledIn(annotation).split(/\r\n?|\n/) : [];
    const filled = lines.map((line) => line.trim()).filter(Boolean);
    if (left === undefined || bottom === undefined || right === undefined || top === undefined) return [];
    const label = annotation.alternativeText?.trim() ?? '';
    return filled.length > 0 ? [{ lines: filled, label, left, right, bottom, top }] : [];
  });
}

function filledIn(annotation: PdfAnnotation): string {
  const { subtype, fieldType, fieldValue, options = [], contentsObj } = annotation;
  if (subtype === 'FreeText') return contentsObj?.str ?? '';
  if (subtype !== 'Widget' || annotation.password) return '';
  if (fieldType === 'Btn') return markOf(annotation);
  const values = [fieldValue ?? []].flat();
  const shown = (value: string) =>
    options.find(({ exportValue }) => exportValue === value)?.displayValue ?? value;
  return fieldType === 'Ch' || fieldType === 'Tx' ? values.map(shown).join(', ') : '';
}

function markOf({ checkBox, radioButton, fieldValue, exportValue, buttonValue }: PdfAnnotation): string {
  if (radioButton) return fieldValue && fieldValue === buttonValue ? checked : unchecked;
  if (!checkBox) return '';
  const isOn = exportValue ? fieldValue === exportValue : fieldValue && fieldValue !== 'Off';
  return isOn ? checked : unchecked;
}

/** Adds each field to the line of text beside it, or as a line of its own where it is on the page. */
export function placeFields(lines: PdfLine[], fields: readonly PdfField[]): void {
  const size = lines.reduce((least, line) => Math.min(least, line.size), defaultSize);
  for (const field of fields) {
    const [first = '', ...rest] = field.lines;
    const beside = lineBeside(lines, field);
    let at = beside ? lines.indexOf(beside) : lines.findIndex(({ y }) => y < field.bottom);
    if (at < 0) at = lines.length;
    if (beside) addSegment(beside, { x: field.left, endX: field.right, text: first });
    else lines.splice(at, 0, ownLine(field, size, labelled(field, first)));
    const below = rest.map((text, i) => ownLine(field, size, text, (i + 1) * size * 1.2));
    lines.splice(at + 1, 0, ...below);
  }
}

function labelled({ label }: PdfField, text: string): string {
  if (!label) return text;
  return isMark(text) ? `${text} ${label}` : `${label}: ${text}`;
}

const ownLine = ({ left, right, top }: PdfField, size: number, text: string, down = 0): PdfLine => ({
  y: top - size - down,
  size,
  segments: [{ x: left, endX: right, text }],
});

/** The nearest line at the height of the field, or of the field's first line. */
function lineBeside(lines: readonly PdfLine[], field: PdfField): PdfLine | undefined {
  const isBeside = ({ y, size, segments }: PdfLine) => {
    const middle = y + size * 0.3;
    const lowest = Math.max(field.bottom, field.top - 2.5 * size);
    return middle > lowest && middle < field.top && segments.every((one) => !overlaps(one, field));
  };
  const gap = ({ segments }: PdfLine) =>
    Math.min(...segments.map(({ x, endX }) => Math.max(x - field.right, field.left - endX)));
  return lines.filter(isBeside).toSorted((one, other) => gap(one) - gap(other))[0];
}

const overlaps = ({ x, endX }: PdfSegment, { left, right }: PdfField): boolean =>
  Math.min(endX, right) - Math.max(x, left) > (right - left) / 2;

/** Adds a segment to a line. A tick goes with the word after it. */
function addSegment({ segments, size }: PdfLine, segment: PdfSegment): void {
  const at = segments.findIndex(({ x }) => x > segment.x);
  const next = segments[at];
  if (next && isMark(segment.text) && next.x - segment.endX < 2 * size)
    segments[at] = { x: segment.x, endX: next.endX, text: `${segment.text} ${next.text}` };
  else segments.splice(at < 0 ? segments.length : at, 0, segment);
}

/** Whether a page has any text besides tick boxes. */
export const saysSomething = (lines: readonly PdfLine[]): boolean =>
  lines.some((line) => /[^☑☐\s]/u.test(lineText(line)));
