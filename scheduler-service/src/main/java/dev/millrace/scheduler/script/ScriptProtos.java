package dev.millrace.scheduler.script;

import com.google.protobuf.ByteString;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.PlanScriptRequest;
import dev.millrace.proto.script.v1.PlanScriptResponse;
import dev.millrace.proto.script.v1.ScriptFile;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.input.InputSchema;
import dev.millrace.scheduler.packages.PackageLock;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.TimeProtos;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Converts scripts to messages. */
public final class ScriptProtos {
    private ScriptProtos() {}

    /** The script as a message, with its content. */
    public static dev.millrace.proto.script.v1.Script withContent(Script script) {
        dev.millrace.proto.script.v1.Script.Builder proto =
                builder(script).setContent(ByteString.copyFromUtf8(script.content()));
        script.files()
                .forEach((path, text) -> proto.addFiles(
                        ScriptFile.newBuilder().setPath(path).setContent(ByteString.copyFromUtf8(text))));
        return proto.build();
    }

    /** The script as a message, with the paths of its files only. */
    static dev.millrace.proto.script.v1.Script withoutContent(Script script) {
        dev.millrace.proto.script.v1.Script.Builder proto = builder(script);
        script.files()
                .keySet()
                .forEach(path -> proto.addFiles(ScriptFile.newBuilder().setPath(path)));
        return proto.build();
    }

    /** The deployment that is planned. */
    static DeployScriptRequest deployment(PlanScriptRequest planned) {
        return DeployScriptRequest.newBuilder()
                .setWorkspace(planned.getWorkspace())
                .setPath(planned.getPath())
                .setLanguageName(planned.getLanguageName())
                .setContent(planned.getContent())
                .addAllFiles(planned.getFilesList())
                .setInputSchema(planned.getInputSchema())
                .build();
    }

    /** @param currentSchema of the version to which the path leads */
    static PlanScriptResponse plan(ScriptPlan plan, Optional<InputSchema> currentSchema) {
        PlanScriptResponse.Builder planned = PlanScriptResponse.newBuilder()
                .setScript(withContent(plan.version()).toBuilder().clearCreateTime());
        plan.current().map(ScriptProtos::withContent).ifPresent(planned::setCurrent);
        plan.schema().map(ScriptProtos::inputSchema).ifPresent(planned::setInputSchema);
        currentSchema.map(ScriptProtos::inputSchema).ifPresent(planned::setCurrentInputSchema);
        return planned.build();
    }

    /** The given files, by path; a violation for each that is too large, no text or given twice. */
    static Map<String, String> files(List<ScriptFile> given, int bytesMax, Violations violations) {
        Map<String, String> files = new HashMap<>();
        for (ScriptFile file : given) {
            String field = "files[\"" + file.getPath() + "\"]";
            RequestFields.text(field, file.getContent(), bytesMax, violations)
                    .ifPresent(text -> violations.require(
                            files.put(file.getPath(), text) == null, field, "is given twice: give it once"));
        }
        return files;
    }

    /** The lock as a message. */
    static dev.millrace.proto.script.v1.PackageLock packageLock(PackageLock lock) {
        return dev.millrace.proto.script.v1.PackageLock.newBuilder()
                .setInterpreter(lock.interpreter())
                .addAllPackages(lock.packages().stream()
                        .map(chosen -> dev.millrace.proto.script.v1.ChosenPackage.newBuilder()
                                .setName(chosen.name())
                                .setVersion(chosen.version())
                                .setCondition(chosen.condition())
                                .build())
                        .toList())
                .addAllInferred(lock.inferred())
                .setCreateTime(TimeProtos.timestamp(lock.createdAt()))
                .build();
    }

    /** The schema as a message. */
    static dev.millrace.proto.script.v1.InputSchema inputSchema(InputSchema schema) {
        return dev.millrace.proto.script.v1.InputSchema.newBuilder()
                .setSchema(ByteString.copyFromUtf8(schema.schema().text()))
                .setOrigin(
                        switch (schema.origin()) {
                            case SIGNATURE -> dev.millrace.proto.script.v1.InputSchema.Origin.ORIGIN_SIGNATURE;
                            case AUTHOR -> dev.millrace.proto.script.v1.InputSchema.Origin.ORIGIN_AUTHOR;
                            case DECLARATION -> dev.millrace.proto.script.v1.InputSchema.Origin.ORIGIN_DECLARATION;
                        })
                .build();
    }

    /** The name of the language that the caller names; empty if the path decides. */
    static Optional<String> language(DeployScriptRequest request) {
        return switch (request.getLanguage()) {
            case LANGUAGE_PYTHON -> Optional.of(Language.PYTHON.name());
            case LANGUAGE_DENO -> Optional.of(Language.DENO.name());
            case LANGUAGE_UNSPECIFIED, UNRECOGNIZED ->
                Optional.of(request.getLanguageName()).filter(name -> !name.isEmpty());
        };
    }

    /** The number by which callers of earlier versions know the language. */
    private static dev.millrace.proto.common.v1.Language number(Language language) {
        if (language.equals(Language.PYTHON)) {
            return dev.millrace.proto.common.v1.Language.LANGUAGE_PYTHON;
        }
        return language.equals(Language.DENO)
                ? dev.millrace.proto.common.v1.Language.LANGUAGE_DENO
                : dev.millrace.proto.common.v1.Language.LANGUAGE_UNSPECIFIED;
    }

    private static dev.millrace.proto.script.v1.Script.Builder builder(Script script) {
        return dev.millrace.proto.script.v1.Script.newBuilder()
                .setHash(script.hash())
                .setPath(script.path())
                .setWorkspace(script.workspace().name())
                .setLanguage(number(script.language()))
                .setLanguageName(script.language().name())
                .setCreateTime(TimeProtos.timestamp(script.createdAt()));
    }
}
