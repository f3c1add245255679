/** The detail of a diagnostic as Terraform receives it: with the link to the section of its message. */
import type { MessageCode } from "../../src/sdk/message-codes";
import { messagePage } from "../../src/text/page";
import { version } from "../../src/version";

/** Messages that only a test reports have the code of unnamed messages. */
export const linked = (detail: string, code: MessageCode = "plan-changes") =>
  `${detail}\n\n${messagePage(version, code)}`;
