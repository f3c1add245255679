/** Synthesizes the stack. */
import { App } from "cdktf";
import { TenantStack } from "./stack";

const app = new App();
new TenantStack(app, "tenant");
app.synth();
