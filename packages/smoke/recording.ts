const bytesPerSample = 4;
const channels = 8;
const samplesPerSecond = 192_000;
const headBytes = 44;

/** A WAV file of exactly this many bytes, and as few seconds as possible, because seconds are charged: 20 MB last 3.3 s. */
function shortRecording(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  const frame = channels * bytesPerSample;
  file.write('RIFF', 0);
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(3, 20);
  file.writeUInt16LE(channels, 22);
  file.writeUInt32LE(samplesPerSecond, 24);
  file.writeUInt32LE(samplesPerSecond * frame, 28);
  file.writeUInt16LE(frame, 32);
  file.writeUInt16LE(8 * bytesPerSample, 34);
  file.write('data', 36);
  file.writeUInt32LE(bytes - headBytes, 40);
  return file;
}

const boundary = 'smoke-form-boundary';

/** A form of exactly this many bytes, whose file is a recording. */
export function recordingForm(fields: Record<string, string>, bytes: number) {
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = Buffer.from(
    `${texts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="smoke.wav"\r\n` +
      'Content-Type: audio/wav\r\n\r\n',
  );
  const end = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: Buffer.concat([head, shortRecording(bytes - head.length - end.length), end]),
  };
}
