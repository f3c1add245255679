/** What the bare name of the package stands for: the constructs of the host that is installed; of cdktf, where both are. */

function isInstalled(host: string): boolean {
  try {
    return Boolean(require.resolve(host));
  } catch {
    return false;
  }
}

const hosts = { cdktf: "./index", cdktn: "../cdktn/index" };
const found = (["cdktf", "cdktn"] as const).find(isInstalled);
if (found === undefined) {
  throw new Error(
    "The constructs of tenantform need the CDK of Terraform: npm install cdktn constructs (or cdktf constructs).",
  );
}
module.exports = require(hosts[found]);
// Never run. ES modules learn from this text which names they can import.
if (!found) module.exports = require("./index");
