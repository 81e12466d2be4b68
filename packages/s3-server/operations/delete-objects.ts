import { readText } from '../wire/body.ts';
import { S3Error } from '../wire/errors.ts';
import { childrenOf, childText, readXml } from '../wire/xml.ts';
import { answerEmpty, answerXml, type Operation } from './answer.ts';

const maxKeys = 1000;

export const deleteObject: Operation = async ({ bucket, request }) => {
  await bucket.objects.delete([request.key]);
  return answerEmpty(204);
};

export const deleteObjects: Operation = async ({ bucket, request, payloadHash }) => {
  const document = readXml(await readText(request, payloadHash));
  const keys = childrenOf(document, 'Object').map((object) => childText(object, 'Key') ?? '');
  if (document.name !== 'Delete' || keys.length === 0 || keys.length > maxKeys || keys.includes('')) {
    throw new S3Error('MalformedXML');
  }
  await bucket.objects.delete(keys);
  const isQuiet = childText(document, 'Quiet') === 'true';
  return answerXml('DeleteResult', { Deleted: isQuiet ? [] : keys.map((Key) => ({ Key })) });
};
