import { imageSize } from 'image-size';

const base64Data = /^data:([^;,]*)(?:;[^,]*)?;base64,/i;

/** Says the format and size of an image that came as data, or the URL of another one. */
export function describeImage(url: string): string {
  const data = base64Data.exec(url);
  if (data === null) return `The message has the image ${url}, which the stand-in does not fetch.`;
  const bytes = Buffer.from(url.slice(data[0].length), 'base64');
  const measured = measure(bytes);
  if (measured === undefined) {
    return `The message has ${bytes.length} bytes of data said to be ${data[1] || 'an image'}, in no image format known here.`;
  }
  const { format, width, height } = measured;
  return `The image is a ${format} of ${width} x ${height} pixels (${bytes.length} bytes).`;
}

function measure(bytes: Buffer): { format: string; width: number; height: number } | undefined {
  try {
    const { type = '', width, height } = imageSize(bytes);
    const format = formats[type];
    return format === undefined ? undefined : { format, width, height };
  } catch {
    return undefined;
  }
}

/** The formats that the service takes. The library knows more, some of them by too few bytes. */
const formats: Record<string, string> = { png: 'PNG', jpg: 'JPEG', webp: 'WebP', gif: 'GIF' };
