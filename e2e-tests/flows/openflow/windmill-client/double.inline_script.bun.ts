import * as wmill from "windmill-client@1.394.2";
import { getFlowUserState } from "npm:windmill-client@^1";
import * as third from "jsr:@windmill-labs/windmill-client@1";

export async function main() {
  const amount = await wmill.getFlowUserState("amount");
  const same = wmill.getFlowUserState === getFlowUserState && getFlowUserState === third.getFlowUserState;
  return [amount * 2, typeof Bun, same];
}
