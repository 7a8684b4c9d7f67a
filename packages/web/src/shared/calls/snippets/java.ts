import { quotable, type SnippetCall, targetOf } from "./snippet-call.ts";

/** The call for Java 17, with nothing but its standard library. */
export function javaSnippet(call: SnippetCall): string {
  const { body } = call;
  return `import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Main {
    public static void main(String[] args) throws Exception {
        String appId = ${text(call.appId)};
        String credentialId = ${text(call.credentialId)};
        String method = ${text(call.method)};
        String path = ${text(call.path)};
        String query = ${text(call.query)};
${bodyLines(body)}
        String timestamp = String.valueOf(System.currentTimeMillis());
        String nonce = randomHex();
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
        String lines = String.join("\\n", method, path, query, appId, credentialId, timestamp, nonce, hash);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(System.getenv("APP_SECRET").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        String signature = HexFormat.of().formatHex(mac.doFinal(lines.getBytes(StandardCharsets.UTF_8)));

        HttpRequest request = HttpRequest.newBuilder(URI.create(${text(call.baseUrl + targetOf(call))}))
            .header("X-Open-App-Id", appId)
            .header("X-Open-Credential-Id", credentialId)
            .header("X-Open-Timestamp", timestamp)
            .header("X-Open-Nonce", nonce)
            .header("X-Open-Signature", signature)${contentTypeOf(body)}
            .method(method, ${body === null ? "HttpRequest.BodyPublishers.noBody()" : "HttpRequest.BodyPublishers.ofByteArray(body)"})
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.statusCode() + " " + answer.body());
    }

    private static String randomHex() {
        byte[] bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
`;
}

function bodyLines(body: SnippetCall["body"]): string {
  if (body === null) return "        byte[] body = new byte[0];";
  if ("json" in body) return `        byte[] body = ${linesOf(body.json)}.getBytes(StandardCharsets.UTF_8);`;
  const disposition = `Content-Disposition: form-data; name="file"; filename="${quotable(body.fileName)}"`;
  const head = `${disposition}\r\nContent-Type: ${body.mimeType}\r\n\r\n`;
  return `        String boundary = "portico-" + randomHex();
        ByteArrayOutputStream form = new ByteArrayOutputStream();
        form.write(("--" + boundary + "\\r\\n").getBytes(StandardCharsets.UTF_8));
        form.write(${text(head)}.getBytes(StandardCharsets.UTF_8));
        form.write(Files.readAllBytes(Path.of(${text(body.fileName)})));
        form.write(("\\r\\n--" + boundary + "--\\r\\n").getBytes(StandardCharsets.UTF_8));
        byte[] body = form.toByteArray();`;
}

function contentTypeOf(body: SnippetCall["body"]): string {
  if (body === null) return "";
  const type = "json" in body ? '"application/json"' : '"multipart/form-data; boundary=" + boundary';
  return `\n            .header("Content-Type", ${type})`;
}

/** A text as a literal for each of its lines. */
function linesOf(value: string): string {
  const lines = value.split(/(?<=\n)/).map(text);
  return lines.length === 1 ? text(value) : `(${lines.join("\n            + ")})`;
}

/** A literal of ASCII alone: which encoding the compiler reads depends on the machine. */
function text(value: string): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
