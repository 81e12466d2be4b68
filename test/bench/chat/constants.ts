export const chunksPerStream = 200;
