export interface EdgeSettings {
  originSecret: string;
  /** Where forms go that are larger than Lambda takes. */
  uploadHost?: string;
}

/**
 * What a function takes: Lambda's 6 MB hold the whole event, in which a JSON body is a string with its quotes escaped,
 * and other bytes are base64.
 */
export const edgeLimits = { jsonBytes: 5_000_000, otherBytes: 4_400_000 } as const;

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
    "{var d=event.request.uri==='/v1/systemone',i={value:event.context.requestId},",
    "o={'content-type':{value:d?'application/json':'text/plain'},'access-control-allow-origin':{value:'*'},'x-request-id':i};",
    "if(d)o['x-typesafe-request-id']=i;",
    `return{statusCode:413,headers:o,body:{encoding:'text',data:d?${JSON.stringify(decisionTooLarge)}:${JSON.stringify(tooLarge)}}}}`,
  ].join('');
}

const tooLarge =
  'The request body is larger than 4.4 MB (JSON: 5 MB). Send larger files with POST /v1/uploads and name them by uploadId.';

/** As the function itself would say it. */
const decisionTooLarge = '{"error":"Request body too large","code":"body_too_large"}';

/** Requests to this host need no other route, so the router's own code is passed over. */
const toUploadHost = (host: string): string =>
  [
    "if(event.request.method==='POST'&&event.request.uri==='/v1/agents/runs'&&t.startsWith('multipart/form-data'))",
    `{cf.updateRequestOrigin({domainName:${JSON.stringify(host)},originAccessControlConfig:{enabled:false},`,
    "customOriginConfig:{port:443,protocol:'https',sslProtocols:['TLSv1.2']},timeouts:{readTimeout:60}});return event.request}",
  ].join('');
