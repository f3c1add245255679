/** Turns the definitions of Terraform's protocol into the static TypeScript beside them. */
import { execFileSync } from "node:child_process";

/** Fetched when they are needed, because they are large and the protocol changes about once a year. */
const packages = ["@bufbuild/buf@1.74.0", "ts-proto@2.18.0"];
const options = [
  "outputServices=generic-definitions",
  "outputJsonMethods=false",
  "outputPartialMethods=false",
  "useOptionals=all",
  "exportCommonSymbols=false",
  "unrecognizedEnum=false",
  "annotateFilesWithVersion=false",
];

/** Writes `<name>.ts` for every `<name>.proto` of the folder. */
export function generateProtocol(folder: string): void {
  const template = { version: "v2", plugins: [{ local: "protoc-gen-ts_proto", out: folder, opt: options }] };
  const generation = ["buf", "generate", folder, "--template", JSON.stringify(template)];
  const fetched = packages.flatMap((name) => ["--package", name]);
  execFileSync("npx", ["--yes", ...fetched, "--", ...generation], { stdio: ["ignore", "inherit", "inherit"] });
}
