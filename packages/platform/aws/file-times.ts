/** For calls that send no file: an answer must begin within this time, so that five tries fit into an answer of ours. */
export const prompt = { requestTimeout: 5_000 };

const slowestBytesPerMillisecond = 1_000;

/** Time limits for calls that send this many bytes. */
export const timeFor = (bytes: number) => ({
  requestTimeout: prompt.requestTimeout + bytes / slowestBytesPerMillisecond,
});

const slowestCopyBytesPerMillisecond = 10_000;

/** Time limits for copies of an object with this many bytes: S3 may begin to answer only when all of it is copied. */
export const copyTimeFor = (bytes: number) => ({
  requestTimeout: prompt.requestTimeout + bytes / slowestCopyBytesPerMillisecond,
});
