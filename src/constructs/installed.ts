/** Entry for the bare name of the package: loads the constructs for the installed library, or for cdktf if both are installed. */

function isInstalled(library: string): boolean {
  try {
    return Boolean(require.resolve(library));
  } catch {
    return false;
  }
}

const entries = { cdktf: "./index", cdktn: "../cdktn/index" };
const found = (["cdktf", "cdktn"] as const).find(isInstalled);
if (found === undefined) {
  throw new Error(
    "The constructs of tenantform need the CDK of Terraform: npm install cdktn constructs (or cdktf constructs).",
  );
}
module.exports = require(entries[found]);
// Never run. ES modules learn from this text which names they can import.
if (!found) module.exports = require("./index");
