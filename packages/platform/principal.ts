/** Who a request is from. Passed explicitly to every use case. */
export interface Principal {
  keyId: string;
  accountId: string;
  organisationId?: string;
}
