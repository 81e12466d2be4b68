export interface EdgeSettings {
  originSecret: string;
  /** Where forms go that are larger than Lambda takes. */
  uploadHost?: string;
}

/** What a function takes of a JSON body, and of bytes, which reach it in base64: Lambda's 6 MB, less the headers. */
export const edgeLimits = { jsonBytes: 6_000_000, otherBytes: 4_400_000 } as const;

/**
 * Code for CloudFront's viewer-request function, in its JavaScript: adds the secret that functions ask for, and refuses
 * by its Content-Length what Lambda would refuse without a reason. `uploadHost` takes forms of any size. Terse, because
 * the function may have 10 KB and the router's own code takes most of them.
 */
export function viewerRequest({ originSecret, uploadHost }: EdgeSettings): string {
  return [
    "var h=event.request.headers,v=function(n){return h[n]?h[n].value.toLowerCase():''},t=v('content-type');",
    `h['x-origin-secret']={value:${JSON.stringify(originSecret)}};`,
    uploadHost === undefined ? '' : toUploadHost(uploadHost),
    `if(Number(v('content-length'))>(t.startsWith('application/json')?${edgeLimits.jsonBytes}:${edgeLimits.otherBytes}))`,
    `return{statusCode:413,headers:{'content-type':{value:'text/plain'},'access-control-allow-origin':{value:'*'}},`,
    `body:{encoding:'text',data:${JSON.stringify(tooLarge)}}};`,
  ].join('');
}

const tooLarge =
  'The request body is larger than 4.4 MB (JSON: 6 MB). Send larger files with POST /v1/uploads and name them by uploadId.';

/** Requests to this host need no other route, so the router's own code is passed over. */
const toUploadHost = (host: string): string =>
  [
    "if(event.request.method==='POST'&&event.request.uri==='/v1/agents/runs'&&t.startsWith('multipart/form-data'))",
    `{cf.updateRequestOrigin({domainName:${JSON.stringify(host)},originAccessControlConfig:{enabled:false},`,
    "customOriginConfig:{port:443,protocol:'https',sslProtocols:['TLSv1.2']},timeouts:{readTimeout:60}});return event.request}",
  ].join('');
