/** Where a stream's bytes go: a Node response, or a web stream where the platform has nothing else. */
export interface Sink {
  /** False if nothing more should come until `onDrain`'s callback is called. */
  write(bytes: Buffer | string): boolean;
  end(): void;
  onDrain(callback: () => void): void;
}
