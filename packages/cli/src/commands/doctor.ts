import { type Command, FailureError, UsageError } from "../command.ts";
import { ConsoleApi } from "../console-api.ts";
import { type DeveloperOptions, developerLogin, serviceAddress, withDeveloper } from "../developer-settings.ts";
import { checkConfiguration, configuresService } from "../doctor/check-configuration.ts";
import { checkCredential } from "../doctor/check-credential.ts";
import { checkService } from "../doctor/check-service.ts";
import { checkSubscriptions } from "../doctor/check-subscriptions.ts";
import { type Finding, fault, none, ok } from "../doctor/finding.ts";
import { failureLines } from "../failure.ts";
import { withOperatorWords } from "../operator-words.ts";
import { serverModule } from "../server-module.ts";
import { type Credentials, credentialsIfAny } from "../settings.ts";
import { inOneLine, print, printableJson } from "../terminal.ts";

const SIGNS = { ok: "ok   ", fault: "FAULT", none: "-    " } as const;
/** Where the details begin. */
const INDENT = " ".repeat(19);

/** `portico doctor`: looks at all that a developer's commands and bots need, or at all that a service's configuration names. */
export const doctor: Command = {
  name: "doctor",
  summary: "Check what a developer's commands need, or what a service's configuration names",
  usage: "portico doctor [--app-profile FILE | --service] [OPTIONS]",
  notes: `For developers: service, clock, login, subscriptions and credential; addresses that the app subscribes get a url_verification.
For operators: settings, database, master key, data directory, Redis, bucket, certificate, provisioning file and public
address, all in one run of half a minute at most, before a first start too. Operators are meant with --service, and where the environment
configures a service (PORTICO_DATA_DIR, PORTICO_DATABASE_URL, …) and no option names a developer or an app.
Nothing is changed. Exits 1 if something is wrong.`,
  examples: ["portico doctor", "portico doctor --app-profile build-bot.json", "portico doctor --service"],
  configure: (command) =>
    withDeveloper(
      command
        .option(
          "--app-profile <FILE>",
          "a JSON file with baseUrl, appId, credentialId and appSecret (default: the demo bot's)",
        )
        .option("--service", "check what the configuration of a service names, as its operator")
        .option("--json", "print [{check, state: ok, fault or none, detail, advice: []}]"),
    ).action(async (values) => {
      if (isOfOperators(values)) {
        const server = await serverModule("doctor");
        return tell(await withOperatorWords(() => checkConfiguration(server, process.env)), values.json);
      }
      const found = await credentialsIfAny({ profile: values.appProfile, baseUrl: values.baseUrl });
      const findings = await checkService(found?.baseUrl ?? (await serviceAddress(values)));
      // Without the service, all else would only fail in the same way.
      if (findings[0]?.state === "ok") {
        findings.push(...(await checkDeveloper(values, found)), await checkCredential(found, doctor));
      }
      tell(findings, values.json);
    }),
};

/** Whether an operator asks: by the option, or as nothing else says whose check is meant and a service is configured. */
function isOfOperators(
  values: DeveloperOptions & { service?: true | undefined; appProfile?: string | undefined },
): boolean {
  const { service = false, appProfile, as, phone, baseUrl, profile } = values;
  const isNamed = [appProfile, as, phone, baseUrl, profile].some((given) => given !== undefined);
  if (service && isNamed) throw new UsageError("--service is an operator's check: it takes no developer and no app");
  return service || (!isNamed && configuresService(process.env));
}

/** @throws FailureError when something is wrong. */
function tell(findings: readonly Finding[], json = false): void {
  if (json) print(printableJson(JSON.stringify(findings)));
  else print(...findings.flatMap(linesOf));
  const faults = findings.filter(({ state }) => state === "fault").length;
  if (faults > 0) throw new FailureError(`${faults} of ${findings.length} checks found something wrong`);
}

/** The login, and by it the app's subscriptions. */
async function checkDeveloper(values: DeveloperOptions, found: Credentials | undefined): Promise<Finding[]> {
  try {
    await using api = new ConsoleApi(await developerLogin(values));
    const { name, developerId, operator } = await api.console.getMe();
    const login = ok("login", `${name} (${developerId}${operator ? ", operator" : ""}) at ${api.baseUrl}`);
    return [login, ...(found === undefined ? [] : await checkSubscriptions(api, found.appId, doctor))];
  } catch (error) {
    if (error instanceof UsageError && values.as === undefined) {
      return [none("login", "nobody is signed in", "`portico login` signs a developer in; a bot needs none.")];
    }
    return [fault("login", failureLines(error, doctor))];
  }
}

function linesOf({ check, state, detail, advice }: Finding): string[] {
  const first = `${SIGNS[state]}  ${check.padEnd(10)}  ${detail}`;
  return [first, ...advice.map((line) => `${INDENT}${line}`)].map(inOneLine);
}
