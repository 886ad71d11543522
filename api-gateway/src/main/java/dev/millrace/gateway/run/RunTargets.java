package dev.millrace.gateway.run;

import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonReader;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.run.v1.RunTarget;
import dev.millrace.proto.run.v1.RunTarget.TargetCase;
import java.io.IOException;

/** Converts targets between JSON and messages; in JSON a target is an object with exactly one field. */
public final class RunTargets {

    public static final JsonFields<RunTarget.Builder> FIELDS = new JsonFields<RunTarget.Builder>()
            .field("script", (json, target) -> only(json, target).setScriptPath(json.text()))
            .field("script_hash", (json, target) -> only(json, target).setScriptHash(json.text()))
            .field("flow", (json, target) -> only(json, target).setFlowPath(json.text()))
            .field("flow_hash", (json, target) -> only(json, target).setFlowHash(json.text()))
            .field("handler", (json, target) -> only(json, target).setHandler(json.text()));

    private RunTargets() {}

    private static RunTarget.Builder only(JsonReader json, RunTarget.Builder target) throws IOException {
        if (target.getTargetCase() != TargetCase.TARGET_NOT_SET) {
            throw json.wrong(
                    "is a second target (expected: exactly one of script, script_hash, flow, flow_hash, handler)");
        }
        return target;
    }

    public static void write(JsonWriter json, RunTarget target) {
        switch (target.getTargetCase()) {
            case SCRIPT_PATH -> json.text("script", target.getScriptPath());
            case SCRIPT_HASH -> json.text("script_hash", target.getScriptHash());
            case FLOW_PATH -> json.text("flow", target.getFlowPath());
            case FLOW_HASH -> json.text("flow_hash", target.getFlowHash());
            case HANDLER -> json.text("handler", target.getHandler());
            case TARGET_NOT_SET -> {}
        }
    }
}
