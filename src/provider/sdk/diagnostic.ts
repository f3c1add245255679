/** Defines errors and warnings, and encodes them for Terraform's protocol. */
import { codeOf, linkTo, type Titled, titleOf } from "../../judge/codes/codes";
import type { Path } from "../../formats/cty/path";
import { version } from "../../version";
import { firstLines, printableLines } from "../../formats/text/printable";
import {
  type AttributePath,
  type Diagnostic as ProtocolDiagnostic,
  Diagnostic_Severity,
} from "../plugin/protocol/tfplugin6";

/** Something wrong, or dangerous, about a configuration. */
export interface Diagnostic {
  /** Empty where no attribute is meant. */
  readonly path: Path;
  readonly severity: "error" | "warning";
  /** With the words of its title. */
  readonly code: Titled;
  /** The problem, the value and the remedy. */
  readonly detail: string;
}

/** An error that the user can correct. */
export class DiagnosticError extends Error {
  constructor(
    readonly code: Titled,
    readonly detail: string,
    readonly path: Path = [],
  ) {
    super(`${titleOf(code)}: ${detail}`);
  }
}

export function protocolDiagnostic({ severity, code, detail, path }: Diagnostic): ProtocolDiagnostic {
  return {
    severity: severity === "error" ? Diagnostic_Severity.ERROR : Diagnostic_Severity.WARNING,
    summary: shown(titleOf(code)),
    // The link comes after the cut, so a long message has it too.
    detail: `${shown(detail)}\n\n${linkTo(codeOf(code), version)}`,
    attribute: path.length > 0 ? protocolPath(path) : undefined,
  };
}

/** Characters of a summary or detail, which may quote what the service holds. */
const most = 16_000;

/** As Terraform prints it: the terminal must not obey it. */
function shown(text: string): string {
  return printableLines(firstLines(text, most));
}

export function isError({ severity }: ProtocolDiagnostic): boolean {
  return severity === Diagnostic_Severity.ERROR;
}

export function protocolPath(path: Path): AttributePath {
  return {
    steps: path.map((step) => {
      if ("attribute" in step) return { attributeName: step.attribute };
      return "index" in step ? { elementKeyInt: step.index } : { elementKeyString: step.key };
    }),
  };
}

/** Begins a report that is not about the object at which Terraform shows it. */
export const wholePlan = "This is about the whole plan.";

/** Ends a refusal that a change could prevent which Terraform had not planned yet. */
export const unseen =
  "If another change of this plan prevents this, Terraform plans that change later: name its resource in `depends_on` of this one, or " +
  "plan with `-parallelism=2` or more. If it depends on this one, apply it first.";
