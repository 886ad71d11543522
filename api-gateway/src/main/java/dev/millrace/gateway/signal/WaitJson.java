package dev.millrace.gateway.signal;

import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.signal.v1.PendingWait;
import dev.millrace.proto.signal.v1.Wait;

/** Writes waits as JSON. */
final class WaitJson {

    private WaitJson() {}

    static void write(JsonWriter json, PendingWait pending) {
        json.text("run_id", pending.getRunId());
        json.text("run_name", pending.getRunName());
        write(json, pending.getWait());
    }

    static void write(JsonWriter json, Wait wait) {
        json.text("step", wait.getStep());
        json.text("kind", EnumNames.json(wait.getKind(), "KIND_"));
        json.optionalText("name", wait.getName());
        json.integer("required", wait.getRequired());
        json.integer("received", wait.getReceived());
        json.texts("approvers", wait.getApproversList());
        json.raw("details", wait.getDetails());
        json.time("create_time", wait.getCreateTime());
        json.time("end_time", wait.getEndTime());
    }
}
