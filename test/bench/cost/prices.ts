/** AWS's list prices in us-east-1, in USD, without free tiers. Other regions differ by a tenth to a quarter. */
export const prices = {
  asOf: '2026-11',
  readUnitsPerMillion: 0.125,
  writeUnitsPerMillion: 0.625,
  tableGigabyteMonth: 0.25,
  /** For restores to a moment, which permanent stages have. */
  restoresGigabyteMonth: 0.2,
  queueRequestsPerMillion: 0.4,
  filePutsPerThousand: 0.005,
  fileGetsPerThousand: 0.0004,
  fileGigabyteMonth: 0.023,
  lambdaRequestsPerMillion: 0.2,
  /** EventBridge Scheduler, for each call. Fourteen million a month are free. */
  schedulerPerMillion: 1,
  /** The price for an arm64 function. */
  lambdaGigabyteSecond: 0.0000133334,
  /** CloudFront's HTTPS request, its edge function, and the look-ups of that function. */
  edgeRequestsPerTenThousand: 0.01,
  edgeFunctionsPerMillion: 0.1,
  edgeLookupsPerMillion: 0.03,
  edgeGigabyteOut: 0.085,
  logGigabyte: 0.5,
  /** Of Fargate on arm64. */
  containerCpuHour: 0.03238,
  containerGigabyteHour: 0.00356,
  balancerHour: 0.0225,
  /** A balancer's unit of capacity: 25 new connections a second, 3,000 at once, or 1 GB an hour, whichever is most. */
  balancerUnitHour: 0.008,
  publicAddressHour: 0.005,
  /** Of a NAT gateway; what goes through it comes on top. */
  gatewayHour: 0.045,
  gatewayGigabyte: 0.045,
  /** Route 53's health check of an AWS endpoint, and each of its features, such as HTTPS. The first 50 checks are free. */
  healthCheckMonth: 0.5,
  healthCheckFeatureMonth: 1,
  canaryRun: 0.0012,
  /** Of AWS WAF: the list of rules, each rule, and each request that is looked at. */
  firewallMonth: 5,
  firewallRuleMonth: 1,
  firewallRequestsPerMillion: 0.6,
} as const;

export const hoursOfMonth = 730;
