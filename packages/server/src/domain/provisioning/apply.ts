import { readKeyState } from "../../platform/crypto/key-state.ts";
import { erasedAmong } from "../persons/erasure-store.ts";
import { loadAppliedState, lockProvisioning, saveAppliedState } from "./applied-state-store.ts";
import { provisionApp } from "./apply/apply-app.ts";
import { provisionDeveloper } from "./apply/apply-developer.ts";
import { provisionGroup } from "./apply/apply-group.ts";
import { provisionMember } from "./apply/apply-member.ts";
import { provisionTenant } from "./apply/apply-tenant.ts";
import { PasswordsMissing, type PreparedPasswords, passwordsOf, preparePasswords } from "./apply/passwords.ts";
import { type ProvisioningContext, type ProvisioningOptions, Run } from "./apply/run.ts";
import { entitiesOf } from "./entities.ts";
import { loadFingerprints } from "./fingerprints.ts";
import type { ProvisionReport } from "./report.ts";
import type { ProvisioningFile } from "./schema.ts";

/** Rolls the transaction back and carries its result (of a dry run, for example). */
class Tried extends Error {
  override readonly name = "Tried";
  readonly report: ProvisionReport;

  constructor(report: ProvisionReport) {
    super("this was only a trial");
    this.report = report;
  }
}

/** People may change passwords while others are being hashed, but not often. */
const MAX_TRIES = 20;

/**
 * Applies what has changed in the file since it was last applied, in one transaction, all or nothing. Everything else
 * stays as it is.
 *
 * @throws ProvisioningError when the file refers to something that does not exist or is not allowed.
 */
export async function applyProvisioning(
  ctx: ProvisioningContext,
  file: ProvisioningFile,
  options: ProvisioningOptions = {},
): Promise<ProvisionReport> {
  const passwords: PreparedPasswords = new Map();
  for (let tries = 1; ; tries++) {
    try {
      return await applyOnce(ctx, file, options, passwords);
    } catch (error) {
      if (!(error instanceof PasswordsMissing) || tries === MAX_TRIES) throw error;
      await preparePasswords(ctx, error.missing, passwords);
    }
  }
}

async function applyOnce(
  ctx: ProvisioningContext,
  file: ProvisioningFile,
  { force: isForced = false, dryRun = false }: ProvisioningOptions,
  passwords: PreparedPasswords,
): Promise<ProvisionReport> {
  const entities = entitiesOf(file);
  try {
    const run = await ctx.storage.unhurried.write(async (tx) => {
      await lockProvisioning(tx);
      const known = await loadAppliedState(tx, entities);
      // Passwords may have been hashed for longer than a rotation of the master key takes.
      const { rotation } = await readKeyState(tx);
      if (rotation !== null) ctx.secretBox.sealWith(rotation.to);
      const fingerprints = await loadFingerprints(tx, ctx.secretBox);
      const erased = await erasedAmong(
        tx,
        (file.members ?? []).map(({ userId }) => userId),
      );
      const run = new Run(ctx, tx, { file, entities, known, fingerprints, passwords, erased, isForced });
      await provision(run);
      await saveAppliedState(tx, run.appliedChanges());
      if (dryRun) throw new Tried(run.report);
      return run;
    });
    run.committed();
    return run.report;
  } catch (error) {
    if (error instanceof Tried) return error.report;
    throw error;
  }
}

async function provision(run: Run): Promise<void> {
  const { tenants = [], members = [], groups = [], developers = [], apps = [] } = run.file;
  run.checkPasswords(passwordsOf(run.file));
  for (const tenant of tenants) await provisionTenant(run, tenant);
  for (const [index, member] of members.entries()) await provisionMember(run, member, `members[${index}]`);
  for (const [index, group] of groups.entries()) await provisionGroup(run, group, `groups[${index}]`);
  for (const [index, developer] of developers.entries()) {
    await provisionDeveloper(run, developer, `developers[${index}]`);
  }
  for (const [index, app] of apps.entries()) await provisionApp(run, app, `apps[${index}]`);
}
