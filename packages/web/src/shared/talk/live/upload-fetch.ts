/** An upload of which nothing moves for so long has failed, however long it takes as a whole. */
const STALLED_MS = 60_000;

/**
 * A `fetch` for one upload that tells how far it is, which browsers tell of XMLHttpRequest alone.
 *
 * @param onProgress told the share of the body that has been sent, from 0 to 1.
 */
export function uploadFetch(onProgress: (share: number) => void): typeof fetch {
  return (input, { method = "GET", headers, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, String(input));
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.responseType = "text";
      const stalled = () => {
        reject(new TypeError("the upload stands still"));
        request.abort();
      };
      let timer = setTimeout(stalled, STALLED_MS);
      request.upload.onprogress = ({ loaded, total }) => {
        clearTimeout(timer);
        timer = setTimeout(stalled, STALLED_MS);
        onProgress(total > 0 ? loaded / total : 0);
      };
      request.onloadend = () => clearTimeout(timer);
      request.onload = () => {
        const { status, statusText, responseText } = request;
        // A response of these may not have even an empty body.
        const text = [204, 205, 304].includes(status) ? null : responseText;
        resolve(new Response(text, { status, statusText, headers: headersOf(request) }));
      };
      request.onerror = () => reject(new TypeError("the upload failed"));
      request.onabort = () => reject(signal?.reason ?? new DOMException("aborted", "AbortError"));
      signal?.addEventListener("abort", () => request.abort(), { once: true });
      request.send(body instanceof FormData ? body : null);
    });
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const line of request.getAllResponseHeaders().trim().split("\r\n")) {
    const end = line.indexOf(":");
    if (end > 0) headers.append(line.slice(0, end), line.slice(end + 1).trim());
  }
  return headers;
}
