import { quotable, type SnippetCall, targetOf } from "./snippet-call.ts";

/** The call for Python 3, with nothing but its standard library. */
export function pythonSnippet(call: SnippetCall): string {
  const { body } = call;
  const contentType = contentTypeOf(body);
  return `import hashlib, hmac, os, secrets, time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

secret = os.environ["APP_SECRET"].encode()
app_id = ${JSON.stringify(call.appId)}
credential_id = ${JSON.stringify(call.credentialId)}
method, path, query = ${JSON.stringify(call.method)}, ${JSON.stringify(call.path)}, ${JSON.stringify(call.query)}
${bodyLines(body)}
timestamp, nonce = str(int(time.time() * 1000)), secrets.token_hex(16)
lines = [method, path, query, app_id, credential_id, timestamp, nonce, hashlib.sha256(body).hexdigest()]
headers = {
    "X-Open-App-Id": app_id,
    "X-Open-Credential-Id": credential_id,
    "X-Open-Timestamp": timestamp,
    "X-Open-Nonce": nonce,
    "X-Open-Signature": hmac.new(secret, "\\n".join(lines).encode(), hashlib.sha256).hexdigest(),${contentType}
}
url = ${JSON.stringify(call.baseUrl + targetOf(call))}
try:
    answer = urlopen(Request(url, body or None, headers, method=method))
except HTTPError as refusal:
    answer = refusal
print(answer.status, answer.read().decode())
`;
}

function bodyLines(body: SnippetCall["body"]): string {
  if (body === null) return 'body = b""';
  if ("json" in body) return `body = ${textLiteral(body.json)}.encode()`;
  const head = `Content-Disposition: form-data; name="file"; filename="${quotable(body.fileName)}"`;
  return `boundary = "portico-" + secrets.token_hex(16)
head = "\\r\\n".join(["--" + boundary, ${JSON.stringify(head)}, ${JSON.stringify(`Content-Type: ${body.mimeType}`)}, "", ""])
with open(${JSON.stringify(body.fileName)}, "rb") as file:
    body = head.encode() + file.read() + ("\\r\\n--" + boundary + "--\\r\\n").encode()`;
}

function contentTypeOf(body: SnippetCall["body"]): string {
  if (body === null) return "";
  if ("json" in body) return '\n    "Content-Type": "application/json",';
  return '\n    "Content-Type": "multipart/form-data; boundary=" + boundary,';
}

/** As it is between raw quotes where it can be, which reads better than with each quote escaped. */
function textLiteral(text: string): string {
  return text.includes("'''") || /['\r]$|^'/.test(text) || text.includes("\r")
    ? JSON.stringify(text)
    : `r'''${text}'''`;
}
