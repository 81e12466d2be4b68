/** S3's own codes and statuses. The SDK makes its exceptions from the code. */
const errorTable = {
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'The rules for other origins do not allow this request.'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The query parameters of the signature are malformed.'],
  BadDigest: [400, 'The checksum you specified did not match what we received.'],
  EntityTooLarge: [400, 'Your upload exceeds the largest size allowed.'],
  EntityTooSmall: [400, 'Every part of an upload but the last must have at least 5 MiB.'],
  IncompleteBody: [400, 'The body does not have the number of bytes that its headers announce.'],
  InternalError: [500, 'We encountered an internal error. Please try again.'],
  InvalidAccessKeyId: [403, 'The access key id you provided does not exist in our records.'],
  InvalidArgument: [400, 'Invalid argument.'],
  InvalidDigest: [400, 'The checksum you specified is not valid.'],
  InvalidPart: [400, 'One or more of the specified parts could not be found, or their entity tags differ.'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order.'],
  InvalidRange: [416, 'The requested range is not satisfiable.'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidURI: [400, 'Could not parse the specified URI.'],
  KeyTooLongError: [400, 'Your key is too long: 1,024 bytes at most.'],
  MalformedXML: [400, 'The XML you provided was not well-formed or is not what this operation takes.'],
  MetadataTooLarge: [400, 'Your metadata exceeds 2,048 bytes.'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  MissingContentLength: [411, 'You must provide the Content-Length header.'],
  NoSuchBucket: [404, 'The specified bucket does not exist.'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchUpload: [404, 'The specified multipart upload does not exist.'],
  NotImplemented: [501, 'The request needs a feature that this store does not have.'],
  PreconditionFailed: [412, 'The object is not the one that the request names.'],
  RequestTimeTooSkewed: [403, 'The difference between the time of the request and ours is too large.'],
  ServiceUnavailable: [503, 'There is no room to write. Please try again later.'],
  SignatureDoesNotMatch: [403, 'The signature we calculated does not match the one you provided.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 you specified did not match what we received.'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

type S3ErrorCode = keyof typeof errorTable;

export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly code: S3ErrorCode;
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(code: S3ErrorCode, message?: string, headers: Record<string, string> = {}) {
    const [status, usualMessage] = errorTable[code];
    super(message ?? usualMessage);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}
