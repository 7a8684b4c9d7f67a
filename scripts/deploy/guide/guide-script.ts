import { readFileSync } from "node:fs";
import { join } from "node:path";

const GUIDE = join(import.meta.dirname, "../../../docs/operations.md");
const HEADING = "## From an empty Debian to production";

/** What cannot be done where the tests run, and what takes its place. */
const REPLACED: readonly { command: RegExp; why: string; by?: string }[] = [
  { command: /^apt-get /, why: "the packages are those of this machine" },
  { command: /^git clone /, why: "/opt/portico is the repository under test" },
  { command: /^npm ci /, why: "/opt/portico is the repository under test" },
  {
    command: /^certbot /,
    why: "no authority can be asked: a certificate is made here",
    by: [
      "mkdir -p /etc/letsencrypt/live/open.example.com",
      "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=open.example.com " +
        "-addext subjectAltName=DNS:open.example.com,DNS:console.example.com -keyout /etc/letsencrypt/live/open.example.com/privkey.pem " +
        "-out /etc/letsencrypt/live/open.example.com/fullchain.pem 2>/dev/null",
      "cp /etc/letsencrypt/live/open.example.com/fullchain.pem /guide/certificate.pem",
    ].join("\n"),
  },
];

/** What the walk must end with: the state that the guide promises. Each prints what it has found. */
const CHECKS = `
for port in 8081 8082; do curl --fail --silent --retry 20 --retry-delay 1 --retry-all-errors "http://127.0.0.1:$port/readyz" >/dev/null; echo "process $port is ready"; done
curl --fail --silent https://console.example.com/console/ | grep -q '<html' && echo "the console is there"
curl --fail --silent --request POST --header 'content-type: application/json' \\
  --data "{\\"phone\\":\\"13800000000\\",\\"channelId\\":1,\\"password\\":\\"$(cat /etc/portico/first_password)\\"}" \\
  https://console.example.com/api/open/console/v1/auth/login | grep -q accessToken && echo "the operator signs in"
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' https://open.example.com/metrics)" = 404 ] && echo "the metrics are hidden"
[ "$(curl --silent --output /dev/null --write-out '%{http_code}' http://127.0.0.1:8081/metrics)" = 401 ] && echo "the metrics want a token"
curl --fail --silent --header "authorization: Bearer $(cat /etc/portico/metrics_token)" http://127.0.0.1:8081/metrics | grep -q '^portico_backup_timestamp_seconds ' && echo "the backup is noted"
[ "$(stat --format '%U %a' /var/backups/portico/portico-*.dump)" = 'portico 600' ] && echo "the backup is the service's own"
[ "$(stat --format '%U' /var/lib/portico)" = portico ] && [ "$(stat --format '%a' /etc/portico/master_key)" = 640 ] && echo "files are whose they should be"
echo "walked to the end"
`;

/** The commands of the guide in their order, as a script for bash, and what is skipped in it. */
export function guideScript(): { script: string; commands: number; skipped: string[] } {
  const text = readFileSync(GUIDE, "utf8");
  const from = text.indexOf(HEADING);
  const section = text.slice(from, text.indexOf("\n## ", from + HEADING.length));
  const lines = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.trimEnd().split("\n"));
  const skipped: string[] = [];
  const script = lines.map((line) => {
    const replaced = REPLACED.find(({ command }) => command.test(line));
    if (replaced === undefined) return line;
    skipped.push(`${line.split(" ", 2).join(" ")}: ${replaced.why}`);
    return replaced.by ?? ":";
  });
  return { script: `${script.join("\n")}\n${CHECKS}`, commands: lines.length, skipped };
}
