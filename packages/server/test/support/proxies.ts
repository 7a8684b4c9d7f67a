import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { findProgram } from "../../../../scripts/test-services/find-program.ts";
import { findFreePort } from "../../../../scripts/test-services/free-port.ts";
import { type Service, startService } from "../../../../scripts/test-services/service.ts";
import { createTempDir } from "../../../../scripts/test-services/unprivileged-user.ts";
import { CERTIFICATES, TEST_KEY } from "./certificates.ts";

const DEPLOY = new URL("../../../../deploy/", import.meta.url);
// Debian installs some where only administrators look.
const PATH = [process.env.PATH ?? "", "/usr/sbin"].join(delimiter);

/** What a sample is adapted to for a test: everything else in it stays. */
interface Place {
  dir: string;
  /** Where the proxy listens, instead of 443. */
  port: number;
  /** Instead of 80. */
  plainPort: number;
  /** The service's port on 127.0.0.1, instead of 8080. */
  upstream: number;
}

/** A sample of `deploy/`, and how to run the proxy with it. */
interface Sample {
  name: string;
  file: string;
  adapt(text: string, place: Place): string;
  /** Further files, by name. */
  files?(place: Place): Record<string, string>;
  args(dir: string): string[];
}

const SAMPLES: readonly Sample[] = [
  {
    name: "nginx",
    file: "nginx/portico.conf",
    adapt: (text, { dir, port, plainPort, upstream }) =>
      changed(text, [
        ["listen 80;", `listen 127.0.0.1:${plainPort};`],
        ["listen 443 ssl http2;", `listen 127.0.0.1:${port} ssl http2;`],
        ["server 127.0.0.1:8080;", `server 127.0.0.1:${upstream};`],
        ["/etc/letsencrypt/live/open.example.com/fullchain.pem", join(dir, "tls.crt")],
        ["/etc/letsencrypt/live/open.example.com/privkey.pem", join(dir, "tls.key")],
      ]),
    files: ({ dir }) => ({
      "nginx.conf": [
        "daemon off; pid nginx.pid; error_log stderr; user root; worker_processes 1;",
        "events {}",
        "http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;",
        `uwsgi_temp_path uwsgi; scgi_temp_path scgi; include ${join(dir, "sample")}; }`,
      ].join("\n"),
    }),
    args: (dir) => ["-p", dir, "-e", "stderr", "-c", "nginx.conf"],
  },
  {
    name: "caddy",
    file: "caddy/Caddyfile",
    adapt: (text, { dir, port, upstream }) =>
      changed(text, [
        [
          "open.example.com, console.example.com {",
          `{\n\tadmin off\n\tauto_https off\n}\n\nhttps://127.0.0.1:${port}, https://open.example.com:${port} {\n\ttls ${join(dir, "tls.crt")} ${join(dir, "tls.key")}`,
        ],
        ["127.0.0.1:8080", `127.0.0.1:${upstream}`],
      ]),
    args: (dir) => ["run", "--config", join(dir, "sample"), "--adapter", "caddyfile"],
  },
  {
    name: "haproxy",
    file: "haproxy/haproxy.cfg",
    adapt: (text, { dir, port, plainPort, upstream }) =>
      changed(text, [
        ["bind :80", `bind 127.0.0.1:${plainPort}`],
        ["bind :443", `bind 127.0.0.1:${port}`],
        ["/etc/haproxy/portico.pem", join(dir, "tls.pem")],
        ["127.0.0.1:8080", `127.0.0.1:${upstream}`],
      ]),
    args: (dir) => ["-db", "-f", join(dir, "sample")],
  },
];

/** A proxy that can be tried on this machine, or the reason why it cannot. */
export interface Proxy {
  name: string;
  missing: string | false;
  /** Starts it in front of a service on this port of 127.0.0.1. */
  start(upstream: number): Promise<Service>;
}

/** The proxies for which `deploy/` has a sample. */
export const PROXIES: readonly Proxy[] = await Promise.all(
  SAMPLES.map(async (sample) => {
    const program = await findProgram(sample.name, PATH);
    const missing = program === undefined ? `needs ${sample.name}` : false;
    return { name: sample.name, missing, start: (upstream: number) => start(sample, program ?? "", upstream) };
  }),
);

async function start(sample: Sample, program: string, upstream: number): Promise<Service> {
  const dir = await createTempDir(`portico-test-${sample.name}-`, undefined);
  const place = { dir, port: await findFreePort(), plainPort: await findFreePort(), upstream };
  const files = {
    "tls.crt": CERTIFICATES.good.trimStart(),
    "tls.key": TEST_KEY.trimStart(),
    "tls.pem": `${CERTIFICATES.good.trim()}\n${TEST_KEY.trimStart()}`,
    sample: sample.adapt(readFileSync(new URL(sample.file, DEPLOY), "utf8"), place),
    ...sample.files?.(place),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(dir, name), content, { mode: 0o600 });
  return await startService({
    name: sample.name,
    url: `https://127.0.0.1:${place.port}`,
    command: program,
    args: sample.args(dir),
    env: { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir },
    dir,
    stopSignal: "SIGTERM",
    ping: () => connects(place.port),
  });
}

/** Replaces each text, which must be in the sample: it would not be the sample that is tried otherwise. */
function changed(text: string, changes: readonly (readonly [string, string])[]): string {
  let result = text;
  for (const [from, to] of changes) {
    if (!result.includes(from)) throw new Error(`the sample has no "${from}"`);
    result = result.replaceAll(from, to);
  }
  return result;
}

function connects(port: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const socket = connect(port, "127.0.0.1", () => {
    socket.destroy();
    resolve();
  });
  socket.on("error", reject);
  return promise;
}
