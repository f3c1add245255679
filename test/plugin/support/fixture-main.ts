/** The fixture as a program that Terraform starts. */
import { serve } from "../../../src/plugin/serve";
import { fixture } from "./fixture";

void serve({ provider: fixture });
