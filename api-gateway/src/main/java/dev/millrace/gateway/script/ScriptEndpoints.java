package dev.millrace.gateway.script;

import com.google.protobuf.ByteString;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import dev.millrace.gateway.http.Answers;
import dev.millrace.gateway.http.ApiRequest;
import dev.millrace.gateway.http.Endpoint;
import dev.millrace.gateway.json.EnumNames;
import dev.millrace.gateway.json.JsonFields;
import dev.millrace.gateway.json.JsonWriter;
import dev.millrace.gateway.rpc.Scheduler;
import dev.millrace.proto.common.v1.Language;
import dev.millrace.proto.script.v1.DeleteScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.InputSchema;
import dev.millrace.proto.script.v1.ListScriptsRequest;
import dev.millrace.proto.script.v1.PackageLock;
import dev.millrace.proto.script.v1.PlanScriptRequest;
import dev.millrace.proto.script.v1.Script;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Endpoints that deploy, list, show and delete scripts. */
public final class ScriptEndpoints {

    private static final String SCRIPTS = "/api/v1/scripts";
    private static final String LANGUAGE_PREFIX = "LANGUAGE_";

    private static final JsonFields<DeployScriptRequest.Builder> DEPLOY = new JsonFields<DeployScriptRequest.Builder>()
            .field("path", (json, deploy) -> deploy.setPath(json.text()))
            .field("language", (json, deploy) -> setLanguage(deploy, json.text()))
            .required("content", (json, deploy) -> deploy.setContent(ByteString.copyFromUtf8(json.text())))
            .field("files", (json, deploy) -> json.texts((path, text) -> deploy.addFiles(file(path, text))))
            .field("input_schema", (json, deploy) -> deploy.setInputSchema(json.raw()))
            .field("message", (json, deploy) -> deploy.setMessage(json.text()))
            .field("store_only", (json, deploy) -> deploy.setStoreOnly(json.bool()));

    private final Scheduler scheduler;

    public ScriptEndpoints(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public List<Endpoint> all() {
        return List.of(
                Endpoint.post(SCRIPTS + ":plan", Set.of(), this::plan),
                Endpoint.post(SCRIPTS, Set.of(), this::deploy),
                Endpoint.get(SCRIPTS, Set.of("page_size", "page_token"), this::list),
                Endpoint.get(SCRIPTS + "/{*path}", Set.of("hash"), this::get),
                Endpoint.delete(SCRIPTS + "/{*path}", Set.of("force"), this::delete));
    }

    /** Takes the body of a deployment; a plan ignores its message and `store_only`. */
    private CompletionStage<HttpResponse> plan(ApiRequest request) {
        var deploy = request.json(DEPLOY, DeployScriptRequest.newBuilder());
        var plan = PlanScriptRequest.newBuilder()
                .setPath(deploy.getPath())
                .setLanguageName(
                        deploy.getLanguage() == Language.LANGUAGE_UNSPECIFIED
                                ? deploy.getLanguageName()
                                : EnumNames.json(deploy.getLanguage(), LANGUAGE_PREFIX))
                .setContent(deploy.getContent())
                .addAllFiles(deploy.getFilesList())
                .setInputSchema(deploy.getInputSchema())
                .build();
        return scheduler
                .call(request.context(), ScriptServiceGrpc.getPlanScriptMethod(), plan)
                .thenApply(answer -> Answers.json(json -> {
                    json.object("script", script -> {
                        script(script, answer.getScript());
                        if (answer.hasInputSchema()) {
                            inputSchema(script, answer.getInputSchema());
                        }
                    });
                    if (answer.hasCurrent()) {
                        json.object("current", script -> {
                            script(script, answer.getCurrent());
                            if (answer.hasCurrentInputSchema()) {
                                inputSchema(script, answer.getCurrentInputSchema());
                            }
                        });
                    }
                }));
    }

    private static void inputSchema(JsonWriter json, InputSchema schema) {
        json.raw("input_schema", schema.getSchema());
        json.text("input_schema_origin", EnumNames.json(schema.getOrigin(), "ORIGIN_"));
    }

    private CompletionStage<HttpResponse> deploy(ApiRequest request) {
        var deploy = request.json(DEPLOY, DeployScriptRequest.newBuilder()).build();
        return scheduler
                .call(request.context(), ScriptServiceGrpc.getDeployScriptMethod(), deploy)
                .thenApply(answer -> Answers.located(
                        HttpStatus.CREATED, SCRIPTS + "/" + answer.getScript().getPath(), json -> {
                            script(json, answer.getScript());
                            json.optionalText("package_run_id", answer.getPackageRunId());
                            json.optionalText("schema_run_id", answer.getSchemaRunId());
                        }));
    }

    private CompletionStage<HttpResponse> list(ApiRequest request) {
        var list = ListScriptsRequest.newBuilder()
                .setPageSize(request.pageSize())
                .setPageToken(request.pageToken())
                .build();
        return scheduler
                .call(request.context(), ScriptServiceGrpc.getListScriptsMethod(), list)
                .thenApply(answer ->
                        Answers.page(answer.getScriptsList(), answer.getNextPageToken(), ScriptEndpoints::script));
    }

    private CompletionStage<HttpResponse> get(ApiRequest request) {
        var get = GetScriptRequest.newBuilder();
        var hash = request.query("hash");
        var version = hash.isEmpty() ? get.setPath(request.path("path")) : get.setHash(hash);
        return scheduler
                .call(request.context(), ScriptServiceGrpc.getGetScriptMethod(), version.build())
                .thenApply(answer -> Answers.json(json -> {
                    script(json, answer.getScript());
                    json.array("package_locks", answer.getPackageLocksList(), ScriptEndpoints::packageLock);
                    json.texts("used_by", answer.getUsedByList());
                    if (answer.hasInputSchema()) {
                        inputSchema(json, answer.getInputSchema());
                    }
                }));
    }

    private CompletionStage<HttpResponse> delete(ApiRequest request) {
        var delete = DeleteScriptRequest.newBuilder()
                .setPath(request.path("path"))
                .setForce(request.flag("force"))
                .build();
        return scheduler
                .call(request.context(), ScriptServiceGrpc.getDeleteScriptMethod(), delete)
                .thenApply(answer -> Answers.json(json -> script(json, answer.getScript())));
    }

    private static void packageLock(JsonWriter json, PackageLock lock) {
        json.text("interpreter", lock.getInterpreter());
        json.array("packages", lock.getPackagesList(), (to, chosen) -> {
            to.text("name", chosen.getName());
            to.text("version", chosen.getVersion());
            to.optionalText("condition", chosen.getCondition());
        });
        json.texts("inferred", lock.getInferredList());
        json.time("create_time", lock.getCreateTime());
    }

    private static ScriptFile file(String path, String text) {
        return ScriptFile.newBuilder()
                .setPath(path)
                .setContent(ByteString.copyFromUtf8(text))
                .build();
    }

    /** Adds the files of a version, with their texts if the answer has them. */
    private static void files(JsonWriter json, List<ScriptFile> files) {
        json.array("files", files, (entry, file) -> {
            entry.text("path", file.getPath());
            entry.optionalText("content", file.getContent().toStringUtf8());
        });
    }

    /** Gives the number where there is one, for schedulers of earlier versions, which know no names. */
    private static void setLanguage(DeployScriptRequest.Builder deploy, String name) {
        EnumNames.parse(Language.class, LANGUAGE_PREFIX, name)
                .ifPresentOrElse(deploy::setLanguage, () -> deploy.setLanguageName(name));
    }

    /** The name of the language, also of scripts from schedulers of earlier versions, which only know numbers. */
    private static String language(Script script) {
        return script.getLanguageName().isEmpty()
                ? EnumNames.json(script.getLanguage(), LANGUAGE_PREFIX)
                : script.getLanguageName();
    }

    private static void script(JsonWriter json, Script script) {
        json.text("hash", script.getHash());
        json.text("path", script.getPath());
        json.text("workspace", script.getWorkspace());
        json.text("language", language(script));
        json.optionalText("content", script.getContent().toStringUtf8());
        if (script.getFilesCount() > 0) {
            files(json, script.getFilesList());
        }
        json.time("create_time", script.getCreateTime());
    }
}
