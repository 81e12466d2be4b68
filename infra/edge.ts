export interface EdgeSettings {
  originSecret: string;
  /** The host for forms that are too large for Lambda. */
  uploadHost?: string;
}

/**
 * The largest bodies that a function can take. Lambda's limit of 6 MB is for the whole event, in which a JSON body is a
 * string with its quotes escaped and any other body is base64.
 */
export const edgeLimits = { jsonBytes: 5_000_000, otherBytes: 4_400_000 } as const;

/**
 * JavaScript for CloudFront's viewer-request function. It adds the secret that functions ask for. It refuses bodies
 * whose Content-Length is too large for Lambda with the area's own error, because Lambda would give no reason.
 * Forms for `uploadHost` may have any size. The code is terse, because most of CloudFront's 10 KB go to the router.
 */
export function viewerRequest({ originSecret, uploadHost }: EdgeSettings): string {
  return [
    "var q=event.request,h=q.headers,v=function(n){return h[n]?h[n].value.toLowerCase():''},t=v('content-type');",
    `h['x-origin-secret']={value:${JSON.stringify(originSecret)}};`,
    uploadHost === undefined ? '' : toUploadHost(uploadHost),
    `if(Number(v('content-length'))>(t.startsWith('application/json')?${edgeLimits.jsonBytes}:${edgeLimits.otherBytes}))`,
    "{var s=q.uri==='/v1/systemone',i=h['x-request-id'],",
    `m=${JSON.stringify(tooLarge)},e={message:m,type:'invalid_request_error',param:null,code:'body_too_large'},`,
    "j=s?{error:'Request body too large',code:e.code}:q.uri==='/v1/chat/completions'?{error:e}:0;",
    'i=i&&/^[!-~]{1,128}$/.test(i.value)?i:{value:event.context.requestId};',
    "var o={'content-type':{value:j?'application/json':'text/plain'},'access-control-allow-origin':{value:'*'},",
    "'access-control-expose-headers':{value:'X-Request-Id'},'x-request-id':i};if(s)o['x-typesafe-request-id']=i;",
    "return{statusCode:413,headers:o,body:{encoding:'text',data:j?JSON.stringify(j):m}}}",
  ].join('');
}

const tooLarge = 'Over 4.4 MB (JSON 5 MB): send files by POST /v1/uploads.';

/** This code returns before the router's own code, which would send the requests elsewhere. */
const toUploadHost = (host: string): string =>
  [
    "if(q.method==='POST'&&q.uri==='/v1/agents/runs'&&t.startsWith('multipart/form-data'))",
    `{cf.updateRequestOrigin({domainName:${JSON.stringify(host)},originAccessControlConfig:{enabled:false},`,
    "customOriginConfig:{port:443,protocol:'https',sslProtocols:['TLSv1.2']},timeouts:{readTimeout:60}});return q}",
  ].join('');
