/** The part of the DOM that pages are read with. */
export interface PageElement {
  localName: string;
  parentNode: PageElement | null;
  previousElementSibling: PageElement | null;
  textContent: string | null;
  children: Iterable<PageElement>;
  closest(selector: string): PageElement | null;
  querySelector(selector: string): PageElement | null;
  appendChild(child: PageElement | PageText): unknown;
  setAttribute(name: string, value: string): void;
}

export interface PageText {
  nodeValue: string;
}

export interface PageDocument {
  title: string;
  head: PageElement;
  body: PageElement;
  createElement(name: string): PageElement;
  createTextNode(text: string): PageText;
}

export interface Page {
  document: PageDocument;
  /** How many nodes the page costs whoever serialises and parses it again: elements, and characters to escape. */
  weight: number;
  /** Whether the page goes on after what was read of it. */
  isCut: boolean;
}
