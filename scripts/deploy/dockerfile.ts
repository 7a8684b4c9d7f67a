/** An instruction of a Dockerfile, with its continued lines joined. */
export interface Instruction {
  name: string;
  rest: string;
}

/** A stage of a Dockerfile. */
export interface Stage {
  base: string;
  name: string | null;
  instructions: readonly Instruction[];
}

/** Reads a Dockerfile: its stages, without comments. */
export function readDockerfile(text: string): Stage[] {
  const joined = text.replaceAll(/^\s*#.*\n/gm, "").replaceAll(/\\\n\s*/g, "");
  const stages: { base: string; name: string | null; instructions: Instruction[] }[] = [];
  for (const line of joined.split("\n").filter((each) => each.trim() !== "")) {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (name === "") throw new Error(`not an instruction: ${line}`);
    if (name === "FROM") {
      const [, base = "", alias = null] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ base, name: alias, instructions: [] });
    } else {
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${name} before FROM`);
      stage.instructions.push({ name, rest });
    }
  }
  return stages;
}

/** The arguments of an instruction in the form of a JSON list, as `docker` runs it without a shell. */
export function listOf({ rest }: Instruction): string[] {
  const list: unknown = JSON.parse(rest);
  if (!Array.isArray(list) || !list.every((each) => typeof each === "string")) throw new Error(`not a list: ${rest}`);
  return list;
}

/** The variables that a stage sets. */
export function variablesOf({ instructions }: Stage): Record<string, string> {
  const pairs = instructions
    .filter(({ name }) => name === "ENV")
    .flatMap(({ rest }) => [...rest.matchAll(/(\w+)=("[^"]*"|\S+)/g)])
    .map(([, name = "", value = ""]) => [name, value.replaceAll('"', "")]);
  return Object.fromEntries(pairs);
}
