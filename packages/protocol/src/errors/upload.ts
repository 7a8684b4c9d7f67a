import type { ApiMessage } from "./open.ts";

const kind = "INVALID_REQUEST";

/** Errors of an upload. */
export const UPLOAD_ERRORS = {
  UPLOAD_NOT_MULTIPART: {
    kind,
    message: "Content-Type必须为multipart/form-data",
    english: "An upload must have the Content-Type multipart/form-data.",
  },
  UPLOAD_BOUNDARY_MISSING: {
    kind,
    message: "Content-Type缺少有效的boundary",
    english: "The Content-Type of the upload names no valid boundary.",
  },
  UPLOAD_CUT_OFF: {
    kind,
    message: "multipart请求体不完整: 缺少结束边界",
    english: "The multipart body is not complete: its closing delimiter is missing.",
  },
  UPLOAD_LINE_BREAKS_WRONG: {
    kind,
    message: "multipart请求体的换行必须为CRLF",
    english: "Every line break of the multipart body must be CRLF.",
  },
  UPLOAD_PART_HEAD_TOO_LONG: {
    kind,
    message: "上传分片的头部不能超过{max}KiB",
    english: "The head of a part is longer than {max} KiB.",
  },
  UPLOAD_PART_HEAD_INVALID: {
    kind,
    message: "上传分片的头部格式错误",
    english: "The head of a part cannot be read.",
  },
  UPLOAD_PARTS_TOO_MANY: {
    kind,
    message: "上传分片不能超过{max}个",
    english: "An upload may have at most {max} parts.",
  },
  UPLOAD_OTHER_PARTS_TOO_LARGE: {
    kind,
    message: "file以外的上传分片不能超过{max}",
    english: "The parts beside the file hold more than {max}.",
  },
  UPLOAD_ENCODING_UNSUPPORTED: {
    kind,
    message: "Content-Transfer-Encoding仅支持7bit、8bit、binary",
    english: "The Content-Transfer-Encoding of the part must be 7bit, 8bit or binary.",
  },
  UPLOAD_FILE_MISSING: {
    kind,
    message: "缺少必需的上传分片: file",
    english: 'The upload has no part with name="file" and a file name.',
  },
  UPLOAD_FILES_TOO_MANY: {
    kind,
    message: "上传分片file只能有一个",
    english: "The upload has more than one part named file.",
  },
  UPLOAD_FILE_TOO_LARGE: {
    kind,
    message: "文件不能超过{max}",
    english: "The file is larger than {max}.",
  },
  UPLOAD_TOO_SLOW: {
    kind,
    message: "上传过慢,已中止",
    english: "The upload came too slowly and was ended.",
  },
} as const satisfies Record<string, ApiMessage>;
