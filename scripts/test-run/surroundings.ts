/** What the files of one process share, and each must leave as it found it. */
export interface Surroundings {
  directory: string;
  variables: Record<string, string | undefined>;
  functions: ReadonlyMap<string, unknown>;
}

/** What tests are tempted to replace. */
const REPLACEABLE: readonly [name: string, holder: object][] = [
  ["fetch", globalThis],
  ["Date", globalThis],
  ["setTimeout", globalThis],
  ["setInterval", globalThis],
  ["setImmediate", globalThis],
  ["now", Date],
  ["now", performance],
  ["random", Math],
];

export function surroundings(): Surroundings {
  const functions = REPLACEABLE.map(
    ([name, holder]) => [`${nameOf(holder)}${name}`, Reflect.get(holder, name)] as const,
  );
  return { directory: process.cwd(), variables: { ...process.env }, functions: new Map(functions) };
}

/** In words, what a file has not left as it was. */
export function leftBehind(before: Surroundings, after: Surroundings): string[] {
  const names = new Set([...Object.keys(before.variables), ...Object.keys(after.variables)]);
  // Node's own runner says by it which of its processes this is.
  names.delete("NODE_TEST_WORKER_ID");
  const changed = [
    ...(before.directory === after.directory ? [] : ["the working directory"]),
    ...[...names].filter((name) => before.variables[name] !== after.variables[name]).map((name) => `$${name}`),
    ...[...before.functions].filter(([name, value]) => after.functions.get(name) !== value).map(([name]) => name),
  ];
  if (changed.length === 0) return [];
  return [`changes ${changed.join(", ")} for the files after it: restore it, or name the file in own-process.ts`];
}

function nameOf(holder: object): string {
  if (holder === Date) return "Date.";
  if (holder === performance) return "performance.";
  return holder === Math ? "Math." : "";
}
