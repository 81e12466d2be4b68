const pieceBytes = 65_536;

/** The bytes of a file, piece by piece as the connection takes them. */
export function countedStream(file: Blob, onSent: (sentBytes: number) => void): ReadableStream<Uint8Array> {
  let sentBytes = 0;
  return new ReadableStream({
    async pull(controller) {
      const piece = await file.slice(sentBytes, sentBytes + pieceBytes).arrayBuffer();
      if (piece.byteLength === 0) return controller.close();
      sentBytes += piece.byteLength;
      controller.enqueue(new Uint8Array(piece));
      onSent(sentBytes);
    },
  });
}
