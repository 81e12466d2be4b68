/** The key and account that a request came from. Every use case takes it as an argument. */
export interface Principal {
  keyId: string;
  accountId: string;
  organisationId?: string;
}
