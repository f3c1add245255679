/** The detail of a diagnostic as Terraform receives it: with the link to the section of its code. */
import { linkTo, type Code } from "../../src/judge/codes/codes";
import { version } from "../../src/version";

export const linked = (detail: string, code: Code = "TNF-PLAN-EFFECTS") => `${detail}\n\n${linkTo(code, version)}`;
