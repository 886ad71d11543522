package dev.millrace.gateway.flow;

import com.google.protobuf.ByteString;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.proto.flow.v1.ConvertFlowRequest;
import dev.millrace.proto.flow.v1.DeclaredTrigger;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.Flow;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowProblem;
import dev.millrace.proto.flow.v1.PlanFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Converts flow definitions between JSON and messages. */
final class FlowBodies {

    static final JsonFields<DeployFlowRequest.Builder> DEPLOY = new JsonFields<DeployFlowRequest.Builder>()
            .field("path", (json, flow) -> flow.setPath(json.text()))
            .field("file_name", (json, flow) -> flow.setFileName(json.text()))
            .field("dialect", (json, flow) -> flow.setDialect(json.text()))
            .required("definition", (json, flow) -> flow.setDefinition(ByteString.copyFromUtf8(json.text())))
            .field("files", (json, flow) -> json.texts((path, content) -> flow.addFiles(file(path, content))))
            .field("message", (json, flow) -> flow.setMessage(json.text()))
            .field("store_only", (json, flow) -> flow.setStoreOnly(json.bool()));

    private FlowBodies() {}

    /** Takes the body of a deployment; validation ignores its path and `store_only`. */
    static ValidateFlowRequest validation(DeployFlowRequest.Builder body) {
        return ValidateFlowRequest.newBuilder()
                .setFileName(body.getFileName())
                .setDialect(body.getDialect())
                .setDefinition(body.getDefinition())
                .addAllFiles(body.getFilesList())
                .build();
    }

    /** Takes the body of a deployment; a plan ignores its message and `store_only`. */
    static PlanFlowRequest plan(DeployFlowRequest.Builder body) {
        return PlanFlowRequest.newBuilder()
                .setPath(body.getPath())
                .setFileName(body.getFileName())
                .setDialect(body.getDialect())
                .setDefinition(body.getDefinition())
                .addAllFiles(body.getFilesList())
                .build();
    }

    /** Takes the body of a deployment, like {@link #validation}. */
    static ConvertFlowRequest conversion(DeployFlowRequest.Builder body) {
        return ConvertFlowRequest.newBuilder()
                .setFileName(body.getFileName())
                .setDialect(body.getDialect())
                .setDefinition(body.getDefinition())
                .addAllFiles(body.getFilesList())
                .build();
    }

    static Map<String, String> contents(List<FlowFile> files) {
        Map<String, String> contents = new LinkedHashMap<>();
        files.forEach(file -> contents.put(file.getPath(), file.getContent().toStringUtf8()));
        return contents;
    }

    private static FlowFile file(String path, String content) {
        return FlowFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(content))
                .build();
    }

    static void flow(JsonWriter json, Flow flow) {
        json.text("hash", flow.getHash());
        json.text("path", flow.getPath());
        json.text("workspace", flow.getWorkspace());
        json.text("dialect", flow.getDialect());
        json.optionalText("definition", flow.getDefinition().toStringUtf8());
        json.time("create_time", flow.getCreateTime());
        if (flow.getScriptsCount() > 0) {
            json.array("scripts", flow.getScriptsList(), (entry, script) -> {
                entry.text("path", script.getPath());
                entry.text("hash", script.getHash());
            });
        }
        if (flow.getSubFlowsCount() > 0) {
            json.array("sub_flows", flow.getSubFlowsList(), (entry, part) -> {
                entry.text("path", part.getPath());
                entry.text("hash", part.getHash());
            });
        }
    }

    static void problem(JsonWriter json, FlowProblem problem) {
        json.integer("line", problem.getLine());
        json.integer("column", problem.getColumn());
        json.text("path", problem.getPath());
        json.text("message", problem.getMessage());
        json.text("remedy", problem.getRemedy());
    }

    static void trigger(JsonWriter json, DeclaredTrigger trigger) {
        json.text("kind", trigger.getKind());
        json.text("path", trigger.getPath());
        json.text(
                "change",
                switch (trigger.getChange()) {
                    case CHANGE_CREATED -> "created";
                    case CHANGE_UPDATED -> "updated";
                    case CHANGE_DELETED -> "deleted";
                    case CHANGE_UNSPECIFIED, UNRECOGNIZED -> "";
                });
    }
}
