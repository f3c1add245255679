/** The assumptions of each page with shell blocks, and the few lines that no test can run. */
import { codeOn, root } from "./shell-blocks";

export interface Page {
  /** Files in the reader's folder. */
  readonly files?: () => Record<string, string>;
  /** Commands before the first block. */
  readonly given?: string;
  /** Prefixes of the variables of further tenants. */
  readonly tenants?: readonly string[];
  /** The environment names no tenant: the page starts one. */
  readonly withoutTenant?: boolean;
  /** Its commands are run with each engine. The others show nothing of an engine that these do not show. */
  readonly everyEngine?: boolean;
  /** The page installs its packages, that of `$TARBALL` among them. Otherwise, those of the checkout are there. */
  readonly installs?: boolean;
  /** A line of the page -> the commands in its place. */
  readonly instead?: Record<string, string>;
  /** A line of the page -> why it is not run. */
  readonly notRun?: Record<string, string>;
}

const needsRelease = "It needs the zips of a release; test/provider/native has them.";

const configuration = `terraform {
  required_providers {
    tenant = { source = "registry.terraform.io/tenantform/tenant" }
  }
}
`;
const statements = `provider "tenant" {
  protected_request {
    name = "our CI"
    ip   = "203.0.113.7"
  }
  expectation {
    name    = "sanctions"
    outcome = "blocked"
    request {
      scopes      = ["authentication"]
      countries = ["KP"]
    }
  }
}
`;
const acl = `resource "tenant_network_acl" "sanctions" {
  description = "Sanctions"
  priority    = 10
  rule {
    action {
      block = true
    }
    match {
      geo_country_codes = ["KP"]
    }
    scope = "authentication"
  }
}
`;
const installed = "npx tenantform install && terraform init";
/** The branch that a pull request targets. */
const committed =
  "git init -q . && git add *.tf $(ls *.json 2>/dev/null || true) && git -c user.name=Ada -c user.email=ada@example.com commit -qm Start && git update-ref refs/remotes/origin/main HEAD";

const deploy = { "npx cdktf deploy": "npx cdktf deploy --auto-approve" };
const destroy = { "npx cdktf destroy": "npx cdktf destroy --auto-approve" };

const stack = () => ({ "main.ts": codeOn("docs/guides/typescript.md", "ts")[0]! });

export const pages: Record<string, Page> = {
  "README.md": {
    everyEngine: true,
    files: () => ({
      "main.tf": configuration + acl.replace("10", "30"),
      "main.ts": codeOn("README.md", "ts")[0]!,
      "cdktf.json": codeOn("docs/guides/typescript.md", "json")[0]!,
    }),
    given: installed,
    instead: {
      ...deploy,
      // The same checkout.
      "git clone https://github.com/tenantform/tenantform.git ../tenantform": `ln -s ${root} ../tenantform`,
    },
    notRun: {
      "git clone https://github.com/tenantform/tenantform.git && cd tenantform": "This checkout is the clone.",
      "npm ci && npm start": "The gate runs npm ci in the checkout, and test/tools/demo.long.test.ts runs npm start.",
      "npm test": "It is this test.",
      "(cd ../tenantform && npm ci)": "The gate runs npm ci in the checkout.",
    },
  },
  "examples/README.md": {
    withoutTenant: true,
    given: `cp -r ${root}/examples ${root}/cdktf.json . && ln -s ${root}/dist dist`,
    instead: { ...deploy, ...destroy },
  },
  "docs/guides/adopt.md": {
    everyEngine: true,
    // The stack of the first line already declares what the second line would adopt.
    instead: {
      "npx tenantform adopt infrastructure --to hcl":
        "mv infrastructure first && npx tenantform adopt infrastructure --to hcl && test -s infrastructure/network_acls.tf",
    },
  },
  "docs/guides/embedded-tenant.md": {
    files: () => ({ "tenant.json": "{}" }),
    instead: {
      "npx tenantform emulate --detach --write-env tenant.env > tenant.log 2>&1 &":
        "npx tenantform emulate --detach --write-env tenant.env > tenant.log 2>&1 &\nuntil grep -q 'to stop it' tenant.log; do sleep 0.05; done; eval \"$(sed -n 's/^# to stop it: //p' tenant.log)\"",
    },
  },
  "docs/guides/expectations.md": {
    files: () => ({
      "main.tf": codeOn("docs/guides/expectations.md", "hcl").find((code) => code.includes("customers in France"))!,
      "planned.tf": configuration + acl,
      "expectations.hcl": statements,
    }),
    given: `cp ${root}/examples/expectations/*.ts . && npx tsx main.ts\n${installed}\nterraform apply\nterraform plan -out=plan`,
  },
  "docs/guides/get-started.md": {
    installs: true,
    withoutTenant: true,
    instead: {
      "git clone https://github.com/tenantform/tenantform.git": "mkdir ../tenantform",
      "(cd tenantform && npm ci && npm pack)": 'cp "$TARBALL" ../tenantform',
      "mkdir my-tenant && cd my-tenant": "true",
      ...deploy,
    },
  },
  "docs/guides/install.md": {
    files: () => ({ "main.tf": configuration + acl }),
    notRun: {
      "cp terraform-provider-tenant_*.zip mirror/registry.terraform.io/tenantform/tenant/": needsRelease,
      "terraform init -plugin-dir=./mirror": needsRelease,
      "gpg --import tenantform.asc": needsRelease,
      "gpg --verify terraform-provider-tenant_0.1.0_SHA256SUMS.sig terraform-provider-tenant_0.1.0_SHA256SUMS":
        needsRelease,
      "sha256sum --check --ignore-missing terraform-provider-tenant_0.1.0_SHA256SUMS": needsRelease,
    },
  },
  "docs/guides/recipes.md": { given: `mkdir examples && cp -r ${root}/examples/signed-requests examples` },
  "docs/guides/logs.md": {
    files: () => ({ "main.tf": configuration + acl }),
    given: `${installed} && terraform plan -out=plan && echo '{"log_id":"1","type":"s","date":"2026-11-20T10:00:00.000Z","ip":"203.0.113.7"}' | gzip > week.jsonl.gz`,
  },
  "docs/guides/review.md": {
    everyEngine: true,
    files: () => ({ "main.tf": configuration + statements + acl }),
    given: `${installed}\n${committed}`,
    instead: {
      // The ACL of this page blocks whole countries, which is high.
      "npx tenantform review plan --base ../base --fail-on high":
        "npx tenantform review plan --base ../base --fail-on high || test $? = 3",
    },
  },
  "docs/guides/review-reference.md": {
    files: () => ({ ...stack(), "main.tf": configuration + acl }),
    given: `${installed} && terraform plan -out=plan && npx tsx main.ts && (cd cdktf.out/stacks/tenant && terraform init && terraform plan -out=plan)`,
  },
  "docs/guides/review-in-ci.md": {
    files: () => ({ "main.tf": configuration + statements + acl }),
    given: `${installed} && terraform plan -out=plan`,
    instead: {
      "npx tenantform review fresh-plan --same-as review.json":
        "terraform plan -out=fresh-plan && npx tenantform review fresh-plan --same-as review.json",
    },
  },
  "docs/guides/typescript.md": {
    files: () => ({
      "cdktf.json": codeOn("docs/guides/typescript.md", "json")[0]!,
      "main.ts": codeOn("docs/guides/typescript.md", "ts")[0]!,
      "tenant.test.ts": codeOn("docs/guides/typescript.md", "ts")[1]!,
    }),
    installs: true,
    withoutTenant: true,
    given: 'mkdir ../tenantform && cp "$TARBALL" ../tenantform',
    instead: { ...deploy, ...destroy },
  },
  "docs/guides/tenants.md": {
    everyEngine: true,
    tenants: ["DEV", "STAGING", "PRODUCTION"],
    files: () => {
      const [main, inModule, variables, script] = codeOn("docs/guides/tenants.md", "text").filter((code) =>
        code.startsWith("#"),
      );
      return { "main.tf": main!, "module.tf": inModule!, "dev.tfvars": variables!, "plan.sh": script! };
    },
    // The folders of the fleet.
    given: `mkdir tenant tenants && mv module.tf tenant/main.tf && mv dev.tfvars tenants && chmod +x plan.sh
for name in dev staging production; do
  domain=$(printenv "$(echo $name | tr a-z A-Z)_TENANT_DOMAIN")
  sed "s/acme-dev.eu.auth0.com/$domain/" tenants/dev.tfvars > tenants/$name.new
done
for name in dev staging production; do mv tenants/$name.new tenants/$name.tfvars; done`,
  },
};
