/** Makes use cases of this room those of one kind. */
export const bindKind =
  <K>(kind: K) =>
  <Rest extends unknown[], Result>(useCase: (kind: K, ...rest: Rest) => Result) =>
  (...rest: Rest): Result =>
    useCase(kind, ...rest);
