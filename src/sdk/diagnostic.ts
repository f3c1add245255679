/** What people read: faults and errors as Terraform's diagnostics. */
import type { Path } from "../cty/path";
import { Diagnostic_Severity, type AttributePath, type Diagnostic } from "../plugin/protocol/tfplugin6";
import type { Fault } from "./attribute";

export function diagnosticOf({ severity, summary, detail, path }: Fault): Diagnostic {
  return {
    severity: severity === "error" ? Diagnostic_Severity.ERROR : Diagnostic_Severity.WARNING,
    summary,
    detail,
    // Terraform 1.11 finds no line for a path below the first attribute; the text names the rest.
    attribute: path.length > 0 ? protocolPath(path.slice(0, 1)) : undefined,
  };
}

export function protocolPath(path: Path): AttributePath {
  return {
    steps: path.map((step) => {
      if ("attribute" in step) return { attributeName: step.attribute };
      return "index" in step ? { elementKeyInt: step.index } : { elementKeyString: step.key };
    }),
  };
}
