import { defineWords } from "../../shared/words/words.ts";

/** The second factor: at a sign-in, and where it is set up. */
export const SECOND_FACTOR = defineWords("second-factor", {
  "en-US": {
    codeTitle: "Second factor",
    codeLead: "Enter the code that your authenticator app shows.",
    recoveryLead: "Enter one of the recovery codes that you have stored. It works once.",
    code: "Code",
    recoveryCode: "Recovery code",
    needCode: "Enter the code.",
    proceed: "Continue",
    useRecovery: "Use a recovery code",
    useApp: "Use the authenticator app",
    back: "Back",
    enrolLead: "The operator asks for a second factor. Set it up once, then you sign in with a code.",
    scan: "Scan this with an authenticator app, then enter the code that it shows.",
    qrImage: "QR code for the authenticator app",
    secret: "Or type this key",
    codesTitle: "Recovery codes",
    codesLead:
      "Each of them signs you in once, without the app. Store them where you find them when the device is lost.",
    codesList: "Recovery codes",
  },
  "zh-CN": {
    codeTitle: "二次验证",
    codeLead: "请输入身份验证器应用中显示的验证码。",
    recoveryLead: "请输入您保存的一个恢复码，每个只能使用一次。",
    code: "验证码",
    recoveryCode: "恢复码",
    needCode: "请输入验证码。",
    proceed: "继续",
    useRecovery: "使用恢复码",
    useApp: "使用验证器应用",
    back: "返回",
    enrolLead: "平台要求使用二次验证。设置一次后，登录时输入验证码即可。",
    scan: "请用身份验证器应用扫描，然后输入其显示的验证码。",
    qrImage: "身份验证器二维码",
    secret: "或手动输入密钥",
    codesTitle: "恢复码",
    codesLead: "没有验证器时，每个恢复码可登录一次。请保存在设备丢失后仍能找到的地方。",
    codesList: "恢复码",
  },
});
