interface CurlCall {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** With its query. */
  path: string;
  json?: unknown;
  /** Fields of a form, with the name of a file that goes along as `file`. */
  form?: { fields: Record<string, string>; filename: string };
  headers?: Record<string, string>;
  /** Shows what comes as it comes. */
  streams?: boolean;
}

/** The call for a POSIX shell. */
export function curlOf(
  { method = 'GET', path, json, form, headers = {}, streams }: CurlCall,
  origin: string,
): string {
  const lines = [
    `curl ${streams ? '-N ' : ''}${method === 'GET' || form || (json !== undefined && method === 'POST') ? '' : `-X ${method} `}${quoted(origin + path)}`,
    `-H "Authorization: Bearer $ERRAND_API_KEY"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(json === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(json, null, 2))}`]),
    ...Object.entries(form?.fields ?? {}).map(
      ([name, value]) => `--form-string ${quoted(`${name}=${value}`)}`,
    ),
    ...(form ? [`-F ${quoted(`file=@"${form.filename.replaceAll(/[\\"]/g, '\\$&')}"`)}`] : []),
  ];
  return lines.join(' \\\n  ');
}

/** One word of the shell, whatever characters it has. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
