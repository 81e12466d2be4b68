type Balanced = Pick<sst.aws.ServiceArgs, 'loadBalancer'> & {
  transform: Pick<
    NonNullable<sst.aws.ServiceArgs['transform']>,
    'loadBalancer' | 'loadBalancerSecurityGroup' | 'listener' | 'target'
  >;
};

export const containerPort = 8080;

/** The addresses from which CloudFront asks origins. AWS keeps the list, which takes 55 of a security group's 60 rules. */
const edgeAddresses = 'com.amazonaws.global.cloudfront.origin-facing';

/** Longer than the edge waits at most, and shorter than the container keeps an idle connection. */
const idleSeconds = 130;

/** A container that is replaced has so long for the requests that it has, before it gets SIGTERM. An answer takes no longer. */
const drainSeconds = 900;

/** What takes requests for containers, from the edge alone. Its certificate is made for the domain, in this account's Route 53. */
export const balanced = (domain: string): Balanced => ({
  loadBalancer: {
    // Requests carry API keys, so TLS is the only way in.
    domain,
    rules: [{ listen: '443/https', forward: `${containerPort}/http` }],
    health: {
      [`${containerPort}/http`]: {
        path: '/healthz',
        successCodes: '200',
        interval: '10 seconds',
        healthyThreshold: 2,
        unhealthyThreshold: 3,
      },
    },
  },
  transform: {
    loadBalancerSecurityGroup: {
      ingress: [
        {
          protocol: 'tcp',
          fromPort: 443,
          toPort: 443,
          prefixListIds: [aws.ec2.getManagedPrefixListOutput({ name: edgeAddresses }).id],
        },
      ],
    },
    loadBalancer: { idleTimeout: idleSeconds },
    listener: { sslPolicy: 'ELBSecurityPolicy-TLS13-1-2-2021-06' },
    target: {
      deregistrationDelay: drainSeconds,
      // A turn each would give a container that has long streams as many new ones as the others.
      loadBalancingAlgorithmType: 'least_outstanding_requests',
    },
  },
});
