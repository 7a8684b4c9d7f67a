/** A GET of a caller with a token, as bytes. */
export function getOf(target: string, token: string, others: readonly string[] = []): Buffer {
  return Buffer.from(`${[`GET ${target} HTTP/1.1`, ...headers(token), ...others].join("\r\n")}\r\n\r\n`);
}

/** A POST of JSON by a caller with a token, as bytes. */
export function postOf(path: string, token: string, value: object): Buffer {
  const body = JSON.stringify(value);
  const about = ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`];
  return Buffer.from(`${[`POST ${path} HTTP/1.1`, ...headers(token), ...about].join("\r\n")}\r\n\r\n${body}`);
}

function headers(token: string): string[] {
  return ["Host: 127.0.0.1", "User-Agent: portico-bench", "Accept: application/json", `Authorization: Bearer ${token}`];
}
