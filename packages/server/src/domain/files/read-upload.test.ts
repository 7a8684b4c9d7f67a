import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import {
  appendFileSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { after, describe, test } from "node:test";
import { ApiError } from "@portico/protocol";
import fc from "fast-check";
import { collectGarbage } from "../../../test/support/memory.ts";
import { openFilesIn } from "../../../test/support/open-files.ts";
import { type ReceivedFile, readUpload } from "./read-upload.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-upload-"));
after(() => rmSync(folder, { recursive: true }));

const MIB = 1024 * 1024;
const MAX_FILE_BYTES = 20 * MIB;
const MISSING = "缺少必需的上传分片: file";
const MALFORMED = "上传分片的头部格式错误";
const LINE_BREAKS = "multipart请求体的换行必须为CRLF";
const INCOMPLETE = "multipart请求体不完整: 缺少结束边界";
const NO_BOUNDARY = "Content-Type缺少有效的boundary";

/** The bytes of buffers that are still in use: what is garbage says only when it was last collected. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

let paths = 0;
const targetOf = (path: string, maxBytes: number) => ({ path, maxBytes, settle: async () => {} });
const newPath = () => join(folder, String(paths++));

/** A body as the contract describes it: headers and content of each part, everything else correct. */
function bodyOf(parts: [headers: string, content: string | Buffer][], boundary = "b"): Buffer {
  const pieces = parts.flatMap(([headers, content]) => [
    Buffer.from(`--${boundary}\r\n${headers}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]);
}

const DISPOSITION = 'Content-Disposition: form-data; name="file"; filename=';
const FILE = `${DISPOSITION}report.pdf\r\nContent-Type: application/pdf`;
const upload = (content: string | Buffer, headers = FILE, boundary = "b") => bodyOf([[headers, content]], boundary);

function chunksOf(body: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(body.length / length) }, (_, index) =>
    body.subarray(index * length, (index + 1) * length),
  );
}

interface Reading {
  contentType?: string | undefined;
  maxFileBytes?: number;
}

/** Reads a valid body and compares the content. */
async function accept(
  body: Buffer | Buffer[],
  content: string | Buffer,
  { contentType = "multipart/form-data; boundary=b", maxFileBytes = MAX_FILE_BYTES }: Reading = {},
): Promise<ReceivedFile> {
  const path = newPath();
  const source = Readable.from(Array.isArray(body) ? body : [body]);
  const received = await readUpload(source, contentType, targetOf(path, maxFileBytes));
  const stored = readFileSync(path);
  assert.ok(
    stored.equals(Buffer.from(content)),
    `${JSON.stringify(stored.toString("latin1").slice(0, 200))} is stored`,
  );
  assert.equal(received.path, path);
  assert.equal(received.size, stored.length);
  assert.equal(received.sha256, createHash("sha256").update(stored).digest("hex"));
  rmSync(path);
  return received;
}

/** Reads an invalid body, in one piece and byte by byte: the error is the same and no file remains. */
async function refuse(
  body: Buffer | string,
  message: string,
  { contentType = "multipart/form-data; boundary=b", maxFileBytes = MAX_FILE_BYTES }: Reading = {},
): Promise<void> {
  const bytes = Buffer.from(body);
  for (const length of bytes.length < 100_000 ? [bytes.length + 1, 1] : [65_536]) {
    const path = newPath();
    const source = Readable.from(chunksOf(bytes, length));
    await assert.rejects(readUpload(source, contentType, targetOf(path, maxFileBytes)), (error) => {
      assert.ok(error instanceof ApiError, String(error));
      assert.equal(error.code, "400006");
      assert.equal(error.message, message);
      return true;
    });
    assert.ok(!existsSync(path), "no file is left");
  }
}

describe("an upload", () => {
  test("in the layout of the contract is accepted", async () => {
    const { fileName, mimeType } = await accept(upload("content"), "content");
    assert.deepEqual({ fileName, mimeType }, { fileName: "report.pdf", mimeType: "application/pdf" });
  });
  test("is stored in a file that only the service can read", async () => {
    const path = newPath();
    await readUpload(
      Readable.from([upload("content")]),
      "multipart/form-data; boundary=b",
      targetOf(path, MAX_FILE_BYTES),
    );
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.deepEqual(openFilesIn(folder), []);
  });
  test("may be empty", async () => {
    assert.equal((await accept(upload(""), "")).size, 0);
  });
  test("may come from a file in large pieces", async () => {
    const content = randomBytes(3_000_000);
    const spooled = newPath();
    writeFileSync(spooled, upload(content));
    const path = newPath();
    await readUpload(createReadStream(spooled), "multipart/form-data; boundary=b", targetOf(path, MAX_FILE_BYTES));
    assert.ok(readFileSync(path).equals(content));
  });
  test("may come in pieces that all lie in the same memory", async () => {
    const content = Buffer.from("a\r\n--c\r\n--b \r".repeat(500));
    const body = upload(content);
    for (const length of [1, 7, 64, 1_500]) {
      const memory = Buffer.alloc(length);
      const path = newPath();
      const pieces = async function* () {
        for (const piece of chunksOf(body, length)) {
          memory.fill("-");
          piece.copy(memory);
          yield memory.subarray(0, piece.length);
        }
      };
      await readUpload(pieces(), "multipart/form-data; boundary=b", targetOf(path, MAX_FILE_BYTES));
      assert.ok(readFileSync(path).equals(content), `in pieces of ${length}`);
    }
  });
  test("is settled each 256 KiB, so that little is left to be synced at its end", async () => {
    const path = newPath();
    const sizes: number[] = [];
    const settle = async (file: FileHandle) => {
      sizes.push((await file.stat()).size);
    };
    const body = Readable.from(chunksOf(upload(randomBytes(MIB + 1_000)), 64 * 1024));
    await readUpload(body, "multipart/form-data; boundary=b", { path, maxBytes: MAX_FILE_BYTES, settle });
    assert.equal(sizes.length, 3);
    for (const [index, size] of sizes.entries()) {
      const since = size - (sizes[index - 1] ?? 0);
      assert.ok(since >= 256 * 1024 && since <= 320 * 1024, `${since} bytes`);
    }
  });
  test("takes no memory of the order of its size", async () => {
    const spooled = newPath();
    const [head = "", tail = ""] = upload("|").toString().split("|");
    writeFileSync(spooled, head);
    truncateSync(spooled, head.length + 100 * MIB);
    appendFileSync(spooled, tail);
    truncateSync(spooled, head.length + 200 * MIB);
    const before = heldBytes();
    let peak = before;
    let pieces = 0;
    const body = createReadStream(spooled).on("data", () => {
      if (++pieces % 100 === 0) peak = Math.max(peak, heldBytes());
    });
    const path = newPath();
    const { size } = await readUpload(body, "multipart/form-data; boundary=b", targetOf(path, 100 * MIB));
    assert.equal(size, 100 * MIB);
    assert.ok(pieces >= 1_600, `${pieces} pieces`);
    assert.ok(peak - before < 16 * MIB, `${peak - before} bytes`);
    rmSync(spooled);
    rmSync(path);
  });
  test("may arrive one byte at a time", async () => {
    const content = randomBytes(10_000);
    await accept(chunksOf(upload(content), 1), content);
  });
  test("may be split at any position", async () => {
    const body = bodyOf([
      ['Content-Disposition: form-data; name="note"', "a\r\n--b!\r\nz"],
      [FILE, "\r\r\n-\r\n--\r\n--bb\r\n"],
    ]);
    for (let cut = 0; cut <= body.length; cut++) {
      await accept([body.subarray(0, cut), body.subarray(cut)], "\r\r\n-\r\n--\r\n--bb\r\n");
    }
  });
  test("may contain lines that look like the boundary", async () => {
    for (const line of [
      "--b2",
      "--b-",
      "--b--2",
      "--b- -",
      "--b ---",
      "--b\t2",
      "--b\n",
      "--b\r",
      "--b--\n",
      `--b${" ".repeat(40)}`,
      "-- b",
      "--B",
      "\n--b",
      " --b",
      "-\r\n--\r\n--",
    ]) {
      const content = `one\r\n${line}\r\ntwo`;
      await accept(upload(content), content);
      await accept(chunksOf(upload(content), 1), content);
    }
    for (const content of ["--b\r\n", "--b--\r\n", "\n--b\r\n", "--b--", "\r\n--b-", "\r", "\r\n", "\r\n--"]) {
      await accept(upload(content), content);
    }
  });
  test("may have padding after its boundaries", async () => {
    await accept(Buffer.from(`--b \t\r\n${FILE}\r\n\r\ncontent\r\n--b--\t \r\n`), "content");
  });
  test("may end without a line break", async () => {
    const body = upload("content");
    await accept(body.subarray(0, -2), "content");
    await accept(chunksOf(body.subarray(0, -2), 1), "content");
    await accept(Buffer.from(`--b\r\n${FILE}\r\n\r\ncontent\r\n--b-- `), "content");
  });
  test("may have a preamble and an epilogue", async () => {
    const around = (before: string, behind: string) =>
      Buffer.concat([Buffer.from(before), upload("content"), Buffer.from(behind)]);
    await accept(around("preamble\r\n", "epilogue"), "content");
    await accept(around("\r\n", "\r\n--b\r\n\r\nno part"), "content");
    await accept(around("--bb\r\n--b c\r\n", "\r\n--b--\r\n"), "content");
    await accept(around(`${"x".repeat(2_000_000)}\r\n`, "x".repeat(2_000_000)), "content");
    await accept(chunksOf(around("preamble\r\n", "epilogue"), 1), "content");
  });
  test("may contain other parts, which are ignored", async () => {
    const body = bodyOf([
      ['Content-Disposition: form-data; name="file"', "a field of that name"],
      ["Content-Type: text/plain", "a part without a name"],
      ['Content-Disposition: attachment; name="file"; filename=a', "no part of a form"],
      ['Content-Disposition: form-data; name="other"; filename=a\r\nContent-Transfer-Encoding: base64', "b3RoZXI="],
      [FILE, "content"],
      ['Content-Disposition: form-data; name="note"', ""],
    ]);
    assert.equal((await accept(body, "content")).fileName, "report.pdf");
    await accept(Buffer.concat([Buffer.from("--b\r\n\r\nno head\r\n"), upload("content")]), "content");
  });
  test("does not overwrite or remove a file that exists already", async () => {
    const path = newPath();
    writeFileSync(path, "older");
    const reading = readUpload(
      Readable.from([upload("content")]),
      "multipart/form-data; boundary=b",
      targetOf(path, 100),
    );
    await assert.rejects(reading, { code: "EEXIST" });
    assert.equal(readFileSync(path, "utf8"), "older");
  });
  for (const header of ["7bit", "8bit", "binary", "Binary"]) {
    test(`may declare the encoding ${header}`, async () => {
      await accept(upload("content", `${FILE}\r\ncontent-transfer-encoding: ${header}`), "content");
    });
  }
});

describe("the boundary", () => {
  for (const [contentType, boundary] of [
    ["multipart/form-data; boundary=b", "b"],
    ["Multipart/Form-Data;BOUNDARY=b", "b"],
    ['multipart/form-data; charset=utf-8; boundary="b"', "b"],
    ["multipart/form-data; boundary=b; charset=utf-8", "b"],
    ["multipart/form-data; boundary=b ; charset=utf-8", "b"],
    ["multipart/form-data; boundary=b;", "b"],
    ["multipart/form-data ; boundary = b ", "b"],
    ['multipart/form-data; boundary="a b\'()+_,-./:=?c"', "a b'()+_,-./:=?c"],
    ["multipart/form-data; boundary=a'()+_,-./:=?c", "a'()+_,-./:=?c"],
    ['multipart/form-data; boundary="a;b=c"', "a;b=c"],
    ['multipart/form-data; boundary="a\\"b\\\\c"', 'a"b\\c'],
    ["multipart/form-data; boundary=#$*[x]^.+?", "#$*[x]^.+?"],
    ["multipart/form-data; boundary=--", "--"],
    ["multipart/form-data; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW", "----WebKitFormBoundary7MA4YWxkTrZu0gW"],
    [`multipart/form-data; boundary=${"x".repeat(70)}`, "x".repeat(70)],
  ] as const) {
    test(`of ${contentType} is accepted`, async () => {
      const body = upload("content", FILE, boundary);
      await accept(body, "content", { contentType });
      await accept(chunksOf(body, 1), "content", { contentType });
    });
  }
  for (const contentType of [
    "multipart/form-data",
    "multipart/form-data;",
    "multipart/form-data; boundary",
    "multipart/form-data; boundary=",
    'multipart/form-data; boundary=""',
    'multipart/form-data; boundary="b',
    'multipart/form-data; boundary="b "',
    'multipart/form-data; boundary="b\r\n"',
    "multipart/form-data; boundary=é",
    "multipart/form-data; boundary=b; boundary=b",
    "multipart/form-data, boundary=b; x",
    `multipart/form-data; boundary=${"x".repeat(71)}`,
  ]) {
    test(`of ${JSON.stringify(contentType)} is refused`, async () => {
      await refuse(upload("content"), NO_BOUNDARY, { contentType });
    });
  }
  for (const contentType of [undefined, "", "application/json", "multipart/mixed; boundary=b"]) {
    test(`is ignored in a body of type ${contentType}`, async () => {
      const path = newPath();
      await assert.rejects(readUpload(Readable.from([upload("content")]), contentType, targetOf(path, 100)), {
        code: "400006",
        message: "Content-Type必须为multipart/form-data",
      });
    });
  }
  test("of the body must equal the one in the header", async () => {
    await refuse(upload("content", FILE, "another"), INCOMPLETE);
  });
});

describe("an invalid upload", () => {
  test("is a file one byte over the limit; one of exactly the limit passes", async () => {
    const content = randomBytes(MAX_FILE_BYTES + 1);
    const exact = content.subarray(0, MAX_FILE_BYTES);
    await accept(chunksOf(upload(exact), 65_536), exact);
    await refuse(upload(content), "文件不能超过20MiB");
    await refuse(upload("12345"), "文件不能超过4字节", { maxFileBytes: 4 });
    await accept(upload("1234"), "1234", { maxFileBytes: 4 });
  });
  for (const [what, body] of [
    ["has no part", "--b--\r\n"],
    ["has parts of other names only", bodyOf([['Content-Disposition: form-data; name="File"; filename=a', "content"]])],
    ["has a plain field of that name", bodyOf([['Content-Disposition: form-data; name="file"', "content"]])],
    ["has a part without a head", "--b\r\n\r\ncontent\r\n--b--\r\n"],
    ["has a part without a disposition", upload("content", "Content-Type: application/pdf")],
  ] as const) {
    test(`${what}: the part is missing`, async () => {
      await refuse(body, MISSING);
    });
  }
  test("has two files", async () => {
    const twice = bodyOf([
      [FILE, "one"],
      [FILE, "two"],
    ]);
    await refuse(twice, "上传分片file只能有一个");
  });
  for (const [what, body] of [
    ["is empty", ""],
    ["ends in its preamble", "preamble\r\n"],
    ["ends within a head", `--b\r\n${DISPOSITION}a`],
    ["has a head without its end", `--b\r\n${DISPOSITION}a\r\n--b--\r\n`],
    ["ends within the content", `--b\r\n${FILE}\r\n\r\ncontent`],
    ["ends with half of the boundary", `--b\r\n${FILE}\r\n\r\ncontent\r\n--`],
    ["ends with an inner boundary", `--b\r\n${FILE}\r\n\r\ncontent\r\n--b\r\n`],
    ["ends with half of the closing boundary", `--b\r\n${FILE}\r\n\r\ncontent\r\n--b-`],
    ["ends with half of the last line break", `--b\r\n${FILE}\r\n\r\ncontent\r\n--b--\r`],
    ["closes where a head should be", `--b\r\n${FILE}\r\n\r\ncontent\r\n--b\r\n--b--`],
    ["has an empty file without a line of its own", `--b\r\n${FILE}\r\n\r\n--b--\r\n`],
    ["has its last line broken by LF", `--b\r\n${FILE}\r\n\r\ncontent\r\n--b--\n`],
  ] as const) {
    test(`${what}: it is incomplete`, async () => {
      await refuse(body, INCOMPLETE);
    });
  }
  for (const [what, body] of [
    ["nothing but LF", upload("content").toString().replaceAll("\r\n", "\n")],
    ["LF behind the first boundary", `--b\n${FILE}\r\n\r\ncontent\r\n--b--\r\n`],
    ["LF between headers", upload("content", FILE.replace("\r\n", "\n"))],
    ["CR between headers", upload("content", FILE.replace("\r\n", "\r"))],
    ["LF in a file name", upload("content", `${DISPOSITION}"a\nb"`)],
  ] as const) {
    test(`uses ${what} as line break`, async () => {
      await refuse(body, LINE_BREAKS);
    });
  }
  for (const headers of [
    `${FILE}\r\nno header`,
    `no header\r\n${FILE}`,
    `${FILE}\r\n: no name`,
    `${FILE}\r\nspace before : colon`,
    ` ${FILE}`,
    `${FILE}\r\n${FILE}`,
    `${FILE}\r\nContent-type: text/plain`,
    `${DISPOSITION}"a`,
    `${DISPOSITION}"a" b`,
    `${DISPOSITION}"a"; name="file"`,
    `${DISPOSITION}a; filename=b`,
    'Content-Disposition: form-data; "file"; filename=a',
    "Content-Disposition: form-data; name; filename=a",
    "Content-Disposition: form-data; =file; filename=a",
    "--b",
  ]) {
    test(`has the malformed headers ${JSON.stringify(headers)}`, async () => {
      await refuse(upload("content", headers), MALFORMED);
    });
  }
  for (const encoding of ["base64", "Quoted-Printable", "x-gzip", "", "8bit, base64"]) {
    test(`has encoded content: ${JSON.stringify(encoding)}`, async () => {
      const headers = `${FILE}\r\nContent-Transfer-Encoding: ${encoding}`;
      await refuse(upload("Y29udGVudA==", headers), "Content-Transfer-Encoding仅支持7bit、8bit、binary");
    });
  }
  test("has more than 32 parts", async () => {
    const fields = (count: number) =>
      Array.from({ length: count }, (_, index): [string, string] => [
        `Content-Disposition: form-data; name="${index}"`,
        "",
      ]);
    await accept(bodyOf([...fields(31), [FILE, "content"]]), "content");
    await refuse(bodyOf([...fields(32), [FILE, "content"]]), "上传分片不能超过32个");
  });
  test("has more than 8 KiB of headers", async () => {
    const start = `${FILE}\r\nX-Padding: `;
    const longest = start + "x".repeat(8 * 1024 - start.length - 2);
    await accept(upload("content", longest), "content");
    await refuse(upload("content", `${longest}x`), "上传分片的头部不能超过8KiB");
    await refuse(`--b\r\n${longest}x`, "上传分片的头部不能超过8KiB");
  });
  test("has other parts of more than 1 MiB in total", async () => {
    const other = 'Content-Disposition: form-data; name="other"';
    const half = Buffer.alloc(512 * 1024);
    const parts: [string, Buffer][] = [
      [other, half],
      [FILE, Buffer.from("content")],
      [other, half],
    ];
    await accept(bodyOf(parts), "content");
    await refuse(bodyOf([...parts, [other, Buffer.from("x")]]), "file以外的上传分片不能超过1MiB");
  });
});

describe("a sender who disconnects", () => {
  const fault = new Error("the sender went away");
  for (const [what, sent] of [
    ["before anything came", ""],
    ["within a head", "--b\r\nContent-"],
    ["within the file", `--b\r\n${FILE}\r\n\r\n${"x".repeat(200_000)}`],
    ["after the whole body", upload("content").toString()],
  ] as const) {
    test(`${what} causes an error, and no file remains`, async () => {
      for (const error of [fault, undefined]) {
        const body = new PassThrough();
        const path = newPath();
        const reading = readUpload(body, "multipart/form-data; boundary=b", targetOf(path, MAX_FILE_BYTES));
        body.write(sent);
        setImmediate(() => body.destroy(error));
        await assert.rejects(reading, error ?? { code: "ERR_STREAM_PREMATURE_CLOSE" });
        assert.ok(!existsSync(path));
        assert.deepEqual(openFilesIn(folder), []);
      }
    });
  }
  test("before the reading begins causes an error", async () => {
    const body = new PassThrough();
    body.on("error", () => {});
    body.destroy(fault);
    await assert.rejects(readUpload(body, "multipart/form-data; boundary=b", targetOf(newPath(), 100)), fault);
  });
  test("of a body whose type is refused is not noticed: nothing of it is read", async () => {
    const body = new PassThrough();
    await assert.rejects(readUpload(body, "text/plain", targetOf(newPath(), 100)), ApiError);
    assert.equal(body.listenerCount("readable"), 0);
    assert.equal(body.destroyed, false);
  });
});

describe("the file name", () => {
  const nameOf = async (disposition: string) =>
    (await accept(upload("content", `Content-Disposition: form-data; name="file"; ${disposition}`), "content"))
      .fileName;
  for (const [disposition, expected] of [
    ["filename=report.pdf", "report.pdf"],
    ["filename=my report (1).final.pdf", "my report (1).final.pdf"],
    ["filename=季度 报告（终）.pdf", "季度 报告（终）.pdf"],
    ["filename=👩‍🚀.png", "👩‍🚀.png"],
    ["filename=à la carte.txt", "à la carte.txt"],
    ["filename=a;b.txt", "a;b.txt"],
    ["filename=a; b; c.txt; x=y", "a; b; c.txt"],
    ["filename=a.txt;", "a.txt"],
    ['filename=it\'s "5".txt', 'it\'s "5".txt'],
    ["filename=100%25.txt", "100%25.txt"],
    ["filename=a=b.txt", "a=b.txt"],
    ["filename = a.txt", "a.txt"],
    ["FileName=a.txt", "a.txt"],
    ['filename="my report.pdf"', "my report.pdf"],
    ['filename="a;b=c.txt"', "a;b=c.txt"],
    ['filename="a \\"b\\" c.txt"', 'a "b" c.txt'],
    ['filename="季度 报告.pdf"', "季度 报告.pdf"],
    ['filename="a.txt" ; x=y', "a.txt"],
    ["filename*=UTF-8''%E5%AD%A3%E5%BA%A6%20a.txt", "季度 a.txt"],
    ["filename=fallback.txt; filename*=utf-8'zh'%e5%ad%a3.txt", "季.txt"],
    ["filename*=ISO-8859-1''%e9t%E9.txt; filename=fallback.txt", "été.txt"],
    ["filename=fallback.txt; filename*=UTF-8''%E5%AD.txt", "fallback.txt"],
    ["filename=fallback.txt; filename*=GBK''%BC%BE.txt", "fallback.txt"],
    ["filename=fallback.txt; filename*=plain.txt", "fallback.txt"],
    ["filename*=UTF-8''%zz", "file"],
    ["filename=/etc/passwd", "passwd"],
    ["filename=../../a.txt", "a.txt"],
    ['filename="C:\\Users\\me\\a.txt"', "a.txt"],
    ["filename=C:\\Users\\me\\a.txt", "a.txt"],
    ["filename=a/b\\c/d.txt", "d.txt"],
    ["filename*=UTF-8''..%2F..%5Ca.txt", "a.txt"],
    ["filename=dir/", "file"],
    ["filename=", "file"],
    ['filename=""', "file"],
    ["filename=   ", "file"],
    ["filename=.", "file"],
    ["filename=..", "file"],
    ["filename=../..", "file"],
    ["filename=.\u0001.", "file"],
    ["filename=...", "..."],
    ["filename=.hidden", ".hidden"],
    ['filename="  a.txt  "', "a.txt"],
    ["filename=a\u0000\u001f\u007f\u0085\tb.txt", "ab.txt"],
    ["filename*=UTF-8''a%0D%0Ab%00.txt", "ab.txt"],
    ["filename=a\u202efdp.exe\u202c\u2066\u2069", "afdp.exe"],
    ["filename=a\u200e\u200f\u061cfdp.exe", "afdp.exe"],
    ["filename*=UTF-8''%ED%A0%80.txt; filename=fallback.txt", "fallback.txt"],
    ["filename=__proto__", "__proto__"],
    ["filename=a\r\n  b.txt", "a b.txt"],
  ] as const) {
    test(`of ${JSON.stringify(disposition)} is ${JSON.stringify(expected)}`, async () => {
      assert.equal(await nameOf(disposition), expected);
    });
  }
  test("may precede the name of the part", async () => {
    const { fileName } = await accept(
      upload("content", "content-disposition:form-data;filename=a b.txt;name=file"),
      "content",
    );
    assert.equal(fileName, "a b.txt");
  });
  test("that is not UTF-8 keeps the readable characters", async () => {
    const body = upload("content", `${DISPOSITION}@.txt`);
    body[body.indexOf("@")] = 0xe9;
    assert.equal((await accept(body, "content")).fileName, "\ufffd.txt");
  });
  for (const [given, expected] of [
    [`${"x".repeat(251)}.txt`, `${"x".repeat(251)}.txt`],
    [`${"x".repeat(252)}.txt`, `${"x".repeat(251)}.txt`],
    [`${"报".repeat(300)}.pdf`, `${"报".repeat(83)}.pdf`],
    [`${"👍".repeat(100)}.pdf`, `${"👍".repeat(62)}.pdf`],
    [`${"x".repeat(250)}      .txt`, `${"x".repeat(250)}.txt`],
    ["x".repeat(300), "x".repeat(255)],
    [`a.${"x".repeat(300)}`, `a.${"x".repeat(253)}`],
    [`.${"x".repeat(300)}`, `.${"x".repeat(254)}`],
  ] as const) {
    test(`of ${Buffer.byteLength(given)} bytes is shortened to ${Buffer.byteLength(expected)}, keeping its extension`, async () => {
      assert.equal(await nameOf(`filename=${given}`), expected);
    });
  }
  test("is always clean, whatever the input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "binary", maxLength: 400 }), async (given) => {
        const encoded = Array.from(Buffer.from(given), (byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
        const name = await nameOf(`filename*=UTF-8''${encoded}`);
        assert.ok(Buffer.byteLength(name) <= 255);
        assert.doesNotMatch(name, /[\p{Cc}\p{Cs}\p{Bidi_Control}/\\]|^\s|\s$|^\.{0,2}$/u);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the media type", () => {
  for (const [headers, expected] of [
    ["Content-Type: image/png", "image/png"],
    ["content-type:IMAGE/PNG", "image/png"],
    ["Content-Type: text/plain; charset=utf-8", "text/plain"],
    ["Content-Type: text/html ;a=b", "text/html"],
    ["Content-Type: application/vnd.a+json", "application/vnd.a+json"],
    ["Content-Type: image/svg+xml;", "image/svg+xml"],
    ["X-Other: image/png", "application/octet-stream"],
    ["Content-Type:", "application/octet-stream"],
    ["Content-Type: png", "application/octet-stream"],
    ["Content-Type: image/", "application/octet-stream"],
    ["Content-Type: image/png/x", "application/octet-stream"],
    ["Content-Type: image /png", "application/octet-stream"],
    ["Content-Type: image/png, text/html", "application/octet-stream"],
    ["Content-Type: image/pn\u212a", "application/octet-stream"],
    ["Content-Type: <b>/x", "application/octet-stream"],
    [`Content-Type: a/${"x".repeat(125)}`, `a/${"x".repeat(125)}`],
    [`Content-Type: a/${"x".repeat(126)}`, "application/octet-stream"],
  ] as const) {
    test(`of ${JSON.stringify(headers)} is ${expected}`, async () => {
      const { mimeType } = await accept(upload("content", `${DISPOSITION}a\r\n${headers}`), "content");
      assert.equal(mimeType, expected);
    });
  }
});

describe("any input", () => {
  /** Bytes that contain many of the format's special characters. */
  const bytes = fc
    .array(
      fc.oneof(
        fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array)),
        fc
          .constantFrom("\r", "\n", "\r\n", "-", "--", "--b", "--b--", "\r\n--", "\r\n--b", "\r\n--b-")
          .map(Buffer.from),
      ),
      { maxLength: 60 },
    )
    .map((parts) => Buffer.concat(parts));
  const cuts = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 20 });

  function cutUp(body: Buffer, lengths: number[]): Buffer[] {
    const chunks: Buffer[] = [];
    for (let at = 0, index = 0; at < body.length; index++) {
      const length = lengths[index % lengths.length] ?? 1;
      chunks.push(body.subarray(at, at + length));
      at += length;
    }
    return chunks;
  }

  test("any content is returned byte for byte, however it is split", async () => {
    const isDelimiter = /\r\n--b(--)?[ \t]*\r\n/;
    await fc.assert(
      fc.asyncProperty(bytes, cuts, async (content, lengths) => {
        // A sender must choose a boundary that does not occur in the content.
        fc.pre(!isDelimiter.test(`${content.toString("latin1")}\r\n`));
        await accept(cutUp(upload(content), lengths), content);
      }),
      { numRuns: 2_000 },
    );
  });
  test("a mutated body is accepted or refused, and after a refusal no file remains", async () => {
    const original = bodyOf([
      ['Content-Disposition: form-data; name="note"', "text"],
      [`${FILE}\r\nContent-Transfer-Encoding: binary`, "some content\r\n of a file"],
    ]);
    const mutation = fc.record({
      at: fc.nat(original.length),
      removed: fc.nat(30),
      inserted: fc.oneof(
        bytes,
        fc.constantFrom(";", '"', "\\", "\0", ":", "%", "'", "*=", "file", FILE).map(Buffer.from),
      ),
    });
    const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });
    const outcomes = new Set<string>();
    await fc.assert(
      fc.asyncProperty(mutations, cuts, async (changes, lengths) => {
        const body = changes.reduce(
          (mutated, { at, removed, inserted }) =>
            Buffer.concat([mutated.subarray(0, at), inserted, mutated.subarray(at + removed)]),
          original,
        );
        const path = newPath();
        const source = Readable.from(cutUp(body, lengths));
        try {
          const { size } = await readUpload(source, "multipart/form-data; boundary=b", targetOf(path, 40));
          assert.equal(statSync(path).size, size);
          outcomes.add("received");
          rmSync(path);
        } catch (error) {
          assert.ok(error instanceof ApiError, String(error));
          outcomes.add(error.message);
          assert.ok(!existsSync(path));
        }
      }),
      { numRuns: 3_000 },
    );
    assert.deepEqual(openFilesIn(folder), []);
    for (const outcome of ["received", MISSING, MALFORMED, INCOMPLETE]) assert.ok(outcomes.has(outcome), outcome);
  });
});
