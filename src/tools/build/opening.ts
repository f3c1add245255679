/** The first lines of the script: they report a missing or old Node where Terraform shows it. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle";

const { engines } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as { engines: { node: string } };
const [major = 0, minor = 0] = engines.node.replace(/^\D*/, "").split(".").map(Number);
const needed = `Tenantform needs Node ${major}.${minor} or later`;
const remedy = "install it, or use the native build, which needs none";

/** A program for the shell; for Node it is a string and a comment. Terraform shows a first line of stdout that is no handshake. */
const shell = [
  "#!/bin/sh",
  `':' //; command -v node >/dev/null 2>&1 || { echo "${needed}, and there is no node on the PATH: ${remedy}."; exit 1; }`,
  `':' //; exec node "$0" "$@"`,
];

/** Even the oldest Node must understand this line. */
const script = [
  '"use strict"',
  "var version = process.versions.node.split('.').map(Number)",
  `if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor})) { process.stdout.write("${needed}, and this is " + ` +
    `process.version + " (" + process.execPath + "): ${remedy}.\\n"); process.exit(1); }`,
];

export const openingLines = `${shell.join("\n")}\n${script.join("; ")}\n`;
