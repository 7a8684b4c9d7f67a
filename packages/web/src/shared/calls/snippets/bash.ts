import { quote } from "./quote.ts";
import { quotable, type SnippetCall, targetOf } from "./snippet-call.ts";

/** The call for bash, with openssl and curl. */
export function bashSnippet(call: SnippetCall): string {
  const { body } = call;
  const isFile = body !== null && "fileName" in body;
  return `#!/usr/bin/env bash
set -euo pipefail
: "\${APP_SECRET:?set it to the secret of the credential}"
app_id=${quote(call.appId)}
credential_id=${quote(call.credentialId)}
method=${call.method}
path=${quote(call.path)}
query=${quote(call.query)}
${bodyLines(body)}
timestamp="$(date +%s)000"
nonce="$(openssl rand -hex 16)"
hash="$(openssl dgst -sha256 -r < "$body" | cut -d' ' -f1)"
signature="$(printf '%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s\\n%s' "$method" "$path" "$query" "$app_id" "$credential_id" \\
  "$timestamp" "$nonce" "$hash" | openssl dgst -sha256 -hmac "$APP_SECRET" -r | cut -d' ' -f1)"

curl --silent --show-error --request "$method" ${quote(call.baseUrl + targetOf(call))} \\
  --header "X-Open-App-Id: $app_id" \\
  --header "X-Open-Credential-Id: $credential_id" \\
  --header "X-Open-Timestamp: $timestamp" \\
  --header "X-Open-Nonce: $nonce" \\
  --header "X-Open-Signature: $signature"${contentLines(isFile, body !== null)}
`;
}

function bodyLines(body: SnippetCall["body"]): string {
  const file = `body="$(mktemp)"\ntrap 'rm -f "$body"' EXIT`;
  if (body === null) return file;
  if ("json" in body) return `${file}\nprintf '%s' ${quote(body.json)} > "$body"`;
  return `${file}
file=${quote(body.fileName)}
boundary="portico-$(openssl rand -hex 16)"
{
  printf '%s\\r\\n' "--$boundary" \\
    ${quote(`Content-Disposition: form-data; name="file"; filename="${quotable(body.fileName)}"`)} \\
    ${quote(`Content-Type: ${body.mimeType}`)} ''
  cat -- "$file"
  printf '\\r\\n--%s--\\r\\n' "$boundary"
} > "$body"`;
}

function contentLines(isFile: boolean, hasBody: boolean): string {
  if (!hasBody) return "";
  const type = isFile ? `"Content-Type: multipart/form-data; boundary=$boundary"` : "'Content-Type: application/json'";
  return ` \\\n  --header ${type} \\\n  --data-binary "@$body"`;
}
