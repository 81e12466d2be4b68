import type { HtmlHandler } from '@errand/text';
import { parseHTML } from 'linkedom';

/** The part of the DOM that this folder uses. */
interface PageNode {
  nodeType: number;
  nodeValue: string | null;
  firstChild: PageNode | null;
  nextSibling: PageNode | null;
  parentNode: PageNode | null;
}

export interface PageElement extends PageNode {
  localName: string;
  attributes: Iterable<{ name: string; value: string }>;
  appendChild(child: PageNode): unknown;
  setAttribute(name: string, value: string): void;
}

export interface PageDocument {
  head: PageElement;
  body: PageElement;
  createElement(name: string): PageElement;
  createTextNode(text: string): PageNode;
}

/** The search for an article takes more than linear time: a heavier page would hold the process for seconds. */
const heaviestSearched = 8_000;
/** Readability reads an element's text again for each element around it. */
const charactersAndLevelsPerNode = 1_000;
/** Readability compares each word of a title with each word of the headings. */
const titleCharacters = 1_000;
const headingCharacters = 20_000;

/** Characters that are written as entities. Each becomes a node when Readability parses its own copy of the page. */
const escaped = /[&<>\u00a0]/g;
const headElements: ReadonlySet<string> = new Set(['title', 'meta']);
const headings: ReadonlySet<string> = new Set(['h1', 'h2']);

interface BuildState {
  document: PageDocument;
  open: PageElement[];
  text: string;
  nodes: number;
  /** The sum of each text's length times its depth. */
  reach: number;
  headingCharacters: number;
  openHeadings: number;
}

/** Builds a document from a page's events. `finish` returns undefined if searching it would take too long. */
export function createPageDocument(): HtmlHandler & { finish(): PageDocument | undefined } {
  const empty = '<!doctype html><html><head></head><body></body></html>';
  const document = parseHTML(empty).document as unknown as PageDocument;
  let state: BuildState | undefined = {
    document,
    open: [document.body],
    text: '',
    nodes: 0,
    reach: 0,
    headingCharacters: 0,
    openHeadings: 0,
  };
  const dropIfHeavy = () => {
    if (state && isHeavy(state)) state = undefined;
  };
  return {
    open(name, attributes) {
      if (state) openElement(state, name, attributes);
      dropIfHeavy();
    },
    close(name) {
      if (state) closeElement(state, name);
    },
    text(value) {
      if (state) state.text += value;
    },
    finish() {
      if (state) flushText(state);
      dropIfHeavy();
      return state?.document;
    },
  };
}

function openElement(state: BuildState, name: string, attributes: Readonly<Record<string, string>>): void {
  flushText(state);
  const element = state.document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  (headElements.has(name) ? state.document.head : state.open.at(-1)!).appendChild(element);
  state.open.push(element);
  state.nodes++;
  if (headings.has(name)) state.openHeadings++;
}

function closeElement(state: BuildState, name: string): void {
  flushText(state);
  state.open.pop();
  if (headings.has(name)) state.openHeadings--;
}

function flushText(state: BuildState): void {
  const { document, open, openHeadings } = state;
  const parent = open.at(-1)!;
  const text = parent.localName === 'title' ? state.text.slice(0, titleCharacters) : state.text;
  state.text = '';
  if (text === '') return;
  parent.appendChild(document.createTextNode(text));
  state.nodes += text.match(escaped)?.length ?? 0;
  state.reach += text.length * open.length;
  if (openHeadings > 0) state.headingCharacters += text.length;
}

const isHeavy = (state: BuildState): boolean =>
  state.nodes + state.reach / charactersAndLevelsPerNode > heaviestSearched ||
  state.headingCharacters > headingCharacters;

const textNode = 3;
const elementNode = 1;

/** Passes the elements and texts within an element to a handler, in their order. */
export function walkElement(root: PageElement, handler: HtmlHandler): void {
  let node = root.firstChild;
  while (node) {
    if (node.nodeType === textNode) handler.text(node.nodeValue ?? '');
    if (node.nodeType === elementNode) openNode(node as PageElement, handler);
    const child = node.nodeType === elementNode ? node.firstChild : null;
    node = child ?? nextAfter(node, root, handler);
  }
}

function openNode(element: PageElement, handler: HtmlHandler): void {
  const attributes = Array.from(element.attributes, ({ name, value }) => [name, value] as const);
  handler.open(element.localName, Object.fromEntries(attributes));
}

/** Goes from a node, past its children, to the next one. Closes the elements that end on the way. */
function nextAfter(node: PageNode, root: PageElement, handler: HtmlHandler): PageNode | null {
  let ended: PageNode | null = node;
  while (ended && ended !== root) {
    if (ended.nodeType === elementNode) handler.close((ended as PageElement).localName);
    if (ended.nextSibling) return ended.nextSibling;
    ended = ended.parentNode;
  }
  return null;
}
