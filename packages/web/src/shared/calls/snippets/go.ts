import { quotable, type SnippetCall, targetOf } from "./snippet-call.ts";

/** The call for Go, with nothing but its standard library. */
export function goSnippet(call: SnippetCall): string {
  const { body } = call;
  const isFile = body !== null && "fileName" in body;
  return `package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	appID, credentialID := ${text(call.appId)}, ${text(call.credentialId)}
	method, path, query := ${text(call.method)}, ${text(call.path)}, ${text(call.query)}
${bodyLines(body)}
	timestamp, nonce := strconv.FormatInt(time.Now().UnixMilli(), 10), randomHex()
	hash := sha256.Sum256(body)
	lines := []string{method, path, query, appID, credentialID, timestamp, nonce, hex.EncodeToString(hash[:])}
	mac := hmac.New(sha256.New, []byte(os.Getenv("APP_SECRET")))
	mac.Write([]byte(strings.Join(lines, "\\n")))

	request, err := http.NewRequest(method, ${text(call.baseUrl + targetOf(call))}, bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("X-Open-App-Id", appID)
	request.Header.Set("X-Open-Credential-Id", credentialID)
	request.Header.Set("X-Open-Timestamp", timestamp)
	request.Header.Set("X-Open-Nonce", nonce)
	request.Header.Set("X-Open-Signature", hex.EncodeToString(mac.Sum(nil)))
${contentTypeOf(body)}	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer answer.Body.Close()
	content, err := io.ReadAll(answer.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.StatusCode, string(content))
}

func randomHex() string {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		log.Fatal(err)
	}
	return hex.EncodeToString(bytes)
}
${isFile ? FORM : ""}`;
}

const FORM = `
func form(boundary, head string, file []byte) []byte {
	return append(append([]byte("--"+boundary+"\\r\\n"+head+"\\r\\n\\r\\n"), file...), "\\r\\n--"+boundary+"--\\r\\n"...)
}
`;

function bodyLines(body: SnippetCall["body"]): string {
  if (body === null) return "\tbody := []byte{}";
  if ("json" in body) return `\tbody := []byte(${text(body.json)})`;
  const disposition = `Content-Disposition: form-data; name="file"; filename="${quotable(body.fileName)}"`;
  return `	file, err := os.ReadFile(${text(body.fileName)})
	if err != nil {
		log.Fatal(err)
	}
	boundary := "portico-" + randomHex()
	body := form(boundary, ${JSON.stringify(`${disposition}\r\nContent-Type: ${body.mimeType}`)}, file)`;
}

function contentTypeOf(body: SnippetCall["body"]): string {
  if (body === null) return "";
  if ("json" in body) return '\trequest.Header.Set("Content-Type", "application/json")\n';
  return '\trequest.Header.Set("Content-Type", "multipart/form-data; boundary="+boundary)\n';
}

/** Between backquotes where that reads better and says the same. */
function text(value: string): string {
  const isRaw = /["\\\n]/.test(value) && !/[`\r\ufeff]/.test(value);
  return isRaw ? `\`${value}\`` : JSON.stringify(value).replaceAll("\ufeff", "\\ufeff");
}
