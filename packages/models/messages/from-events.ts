type Fields = Record<string, unknown>;

/** Reads the events of one message. */
export interface MessageEvents {
  /** The chunks of a chat completion that say what the event says. Undefined if it is an error, or cannot be read. */
  read(event: Fields): readonly Fields[] | undefined;
  /** Whether the message is whole. */
  done(): boolean;
}

export function createMessageEvents(): MessageEvents {
  throw new Error('to be written');
}
