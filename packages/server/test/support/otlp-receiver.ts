import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A span as a collector receives it. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: Record<string, string | number | boolean>;
  hasFailed: boolean;
}

/** A collector that keeps what it receives by OTLP over HTTP. */
export interface OtlpReceiver extends AsyncDisposable {
  url: string;
  spans: readonly ReceivedSpan[];
  resources: readonly Record<string, unknown>[];
  contentTypes: ReadonlySet<string>;
  /** Resolves once spans with these names have come; rejects when they do not. */
  until(...names: string[]): Promise<void>;
}

const WAIT_MS = 15_000;

export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const contentTypes = new Set<string>();
  let arrived = () => {};
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request);
    contentTypes.add(`${request.url} ${request.headers["content-type"]}`);
    for (const resourceSpans of fieldsOf(body).bytes(1)) {
      for (const resource of fieldsOf(resourceSpans).bytes(1))
        resources.push(attributesOf(fieldsOf(resource).bytes(1)));
      const scopes = fieldsOf(resourceSpans).bytes(2);
      spans.push(...scopes.flatMap((scope) => fieldsOf(scope).bytes(2).map(spanOf)));
    }
    response.writeHead(200, { "content-type": "application/x-protobuf" }).end();
    arrived();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    contentTypes,
    async until(...names) {
      const timer = setTimeout(() => arrived(), WAIT_MS);
      const endsAt = performance.now() + WAIT_MS;
      const missing = () => names.filter((name) => !spans.some((span) => span.name === name));
      while (missing().length > 0) {
        if (performance.now() >= endsAt)
          throw new Error(`no span ${missing()}; there are ${spans.map(({ name }) => name)}`);
        await new Promise<void>((resolve) => {
          arrived = resolve;
        });
      }
      clearTimeout(timer);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  return Buffer.concat(await request.toArray());
}

function spanOf(bytes: Buffer): ReceivedSpan {
  const fields = fieldsOf(bytes);
  const [status] = fields.bytes(15);
  return {
    traceId: fields.bytes(1)[0]?.toString("hex") ?? "",
    spanId: fields.bytes(2)[0]?.toString("hex") ?? "",
    parentSpanId: fields.bytes(4)[0]?.toString("hex") ?? "",
    name: String(fields.bytes(5)[0]),
    kind: Number(fields.numbers(6)[0]),
    attributes: attributesOf(fields.bytes(9)),
    hasFailed: status !== undefined && fieldsOf(status).numbers(3)[0] === 2n,
  };
}

function attributesOf(all: readonly Buffer[]): ReceivedSpan["attributes"] {
  return Object.fromEntries(
    all.map((bytes) => {
      const [key, value] = [fieldsOf(bytes).bytes(1)[0], fieldsOf(fieldsOf(bytes).bytes(2)[0] ?? Buffer.alloc(0))];
      const [text] = value.bytes(1);
      const [bool] = value.numbers(2);
      if (text !== undefined) return [String(key), String(text)];
      return [String(key), bool === undefined ? Number(value.numbers(3)[0]) : bool === 1n];
    }),
  );
}

/** The fields of a protobuf message: https://protobuf.dev/programming-guides/encoding. */
function fieldsOf(message: Buffer) {
  const found: { field: number; value: bigint | Buffer }[] = [];
  let at = 0;
  const varint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message.readUInt8(at++);
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return message.subarray(at - length, at);
  };
  while (at < message.length) {
    const tag = Number(varint());
    const [field, wire] = [tag >> 3, tag & 7];
    if (wire === 0) found.push({ field, value: varint() });
    else if (wire === 1) found.push({ field, value: take(8).readBigUInt64LE() });
    else if (wire === 2) found.push({ field, value: take(Number(varint())) });
    else if (wire === 5) found.push({ field, value: BigInt(take(4).readUInt32LE()) });
    else throw new Error(`wire type ${wire}`);
  }
  const of = (field: number) => found.filter((one) => one.field === field).map(({ value }) => value);
  return {
    bytes: (field: number) => of(field).filter((value) => typeof value !== "bigint"),
    numbers: (field: number) => of(field).filter((value) => typeof value === "bigint"),
  };
}
