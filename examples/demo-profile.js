/**
 * Prints the profile of an application of the demo world, as the examples read it from `profile.json`:
 * `node ../demo-profile.js app_demo_bot > profile.json`. One of your own is printed by `portico apps create … --json`.
 */
import { readFileSync } from "node:fs";

const { cli, provision } = JSON.parse(readFileSync(new URL("../data/demo.json", import.meta.url), "utf8"));
const { baseUrl } = cli;
const app = provision.apps.find(({ appId }) => appId === process.argv[2]);
if (app === undefined) {
  console.error(`usage: node demo-profile.js ${provision.apps.map(({ appId }) => appId).join("|")}`);
  process.exit(1);
}
console.log(JSON.stringify({ baseUrl, appId: app.appId, ...app.credentials[0] }, null, 2));
