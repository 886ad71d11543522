package dev.millrace.scheduler.script;

import dev.millrace.proto.script.v1.DeleteScriptRequest;
import dev.millrace.proto.script.v1.DeleteScriptResponse;
import dev.millrace.proto.script.v1.DeployScriptRequest;
import dev.millrace.proto.script.v1.DeployScriptResponse;
import dev.millrace.proto.script.v1.GetScriptRequest;
import dev.millrace.proto.script.v1.GetScriptResponse;
import dev.millrace.proto.script.v1.ListScriptsRequest;
import dev.millrace.proto.script.v1.ListScriptsResponse;
import dev.millrace.proto.script.v1.PlanScriptRequest;
import dev.millrace.proto.script.v1.PlanScriptResponse;
import dev.millrace.proto.script.v1.ScriptServiceGrpc;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.input.InputSchema;
import dev.millrace.scheduler.input.InputSchemas;
import dev.millrace.scheduler.input.SchemaRuns;
import dev.millrace.scheduler.packages.PackageLocks;
import dev.millrace.scheduler.packages.PackageRuns;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Language;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.version.DeploymentNote;
import dev.millrace.text.script.ScriptFiles;
import dev.millrace.text.script.ScriptLanguages;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Serves scripts over gRPC. */
public final class ScriptGrpcService extends ScriptServiceGrpc.ScriptServiceImplBase {
    private static final String INPUT_SCHEMA = "input_schema";

    private final Scripts scripts;
    private final PackageLocks packages;
    private final PackageRuns packageRuns;
    private final InputSchemas schemas;
    private final SchemaRuns schemaRuns;
    private final ScriptImports imports;
    private final LimitConfig limits;

    public ScriptGrpcService(
            Scripts scripts,
            PackageLocks packages,
            PackageRuns packageRuns,
            InputSchemas schemas,
            SchemaRuns schemaRuns,
            LimitConfig limits) {
        this.scripts = scripts;
        this.packages = packages;
        this.packageRuns = packageRuns;
        this.schemas = schemas;
        this.schemaRuns = schemaRuns;
        this.imports = new ScriptImports(scripts, limits.scriptBytesMax());
        this.limits = limits;
    }

    @Override
    public void deployScript(DeployScriptRequest request, StreamObserver<DeployScriptResponse> observer) {
        Unary.answer(observer, deploy(request));
    }

    @Override
    public void planScript(PlanScriptRequest request, StreamObserver<PlanScriptResponse> observer) {
        Given given = read(ScriptProtos.deployment(request));
        ScriptPlan plan = scripts.plan(given.workspace(), given.path(), given.source(), given.schema());
        Optional<InputSchema> current =
                plan.current().flatMap(version -> schemas.find(given.workspace(), version.hash()));
        Unary.answer(observer, ScriptProtos.plan(plan, current));
    }

    @Override
    public void getScript(GetScriptRequest request, StreamObserver<GetScriptResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Access access = Access.current();
        Script found = switch (request.getReferenceCase()) {
            case HASH ->
                visible(
                        access,
                        workspace,
                        scripts.find(workspace, request.getHash()),
                        "There is no script version " + request.getHash() + ".");
            case PATH ->
                visible(
                        access,
                        workspace,
                        scripts.findCurrent(workspace, request.getPath()),
                        "There is no script " + request.getPath() + " in workspace " + workspace
                                + ": deploy it first.");
            case REFERENCE_NOT_SET -> throw MillraceException.invalid("reference", "neither hash nor path is given");
        };
        GetScriptResponse.Builder answer = GetScriptResponse.newBuilder()
                .setScript(ScriptProtos.withContent(found))
                .addAllUsedBy(access.visible(workspace, scripts.usersOf(workspace, found.path())))
                .addAllPackageLocks(packages.list(workspace, found.hash()).stream()
                        .map(ScriptProtos::packageLock)
                        .toList());
        schemas.find(workspace, found.hash()).map(ScriptProtos::inputSchema).ifPresent(answer::setInputSchema);
        Unary.answer(observer, answer.build());
    }

    @Override
    public void listScripts(ListScriptsRequest request, StreamObserver<ListScriptsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Optional<Set<String>> folders = Access.current().visibleFolders(workspace);
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var scripts = page.of(limit -> this.scripts.list(workspace, folders, page.after(), limit), Script::path);
        Unary.answer(
                observer,
                ListScriptsResponse.newBuilder()
                        .addAllScripts(scripts.items().stream()
                                .map(ScriptProtos::withoutContent)
                                .toList())
                        .setNextPageToken(scripts.nextToken())
                        .build());
    }

    @Override
    public void deleteScript(DeleteScriptRequest request, StreamObserver<DeleteScriptResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Script deleted = scripts.delete(workspace, request.getPath(), request.getForce())
                .orElseThrow(
                        () -> notFound("There is no script " + request.getPath() + " in workspace " + workspace + "."));
        Unary.answer(
                observer,
                DeleteScriptResponse.newBuilder()
                        .setScript(ScriptProtos.withoutContent(deleted))
                        .build());
    }

    /** What a request says, checked and with all its files. */
    private record Given(Workspace workspace, String path, ScriptSource source, Optional<Json> schema) {}

    private DeployScriptResponse deploy(DeployScriptRequest request) {
        Given given = read(request);
        if (request.getStoreOnly()) {
            // Whoever only stores a version is about to run it, and that job chooses its packages.
            return deployed(scripts.store(given.workspace(), given.path(), given.source()))
                    .build();
        }
        return deploy(given.workspace(), given.path(), given.source(), given.schema(), request.getMessage())
                .build();
    }

    private Given read(DeployScriptRequest request) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        violations.require(
                ScriptPaths.isValid(request.getPath()),
                "path",
                "\"" + request.getPath() + "\" (expected: " + ScriptPaths.EXPECTED + ")");
        Optional<Language> language = language(request, violations);
        Optional<String> content =
                RequestFields.text("content", request.getContent(), limits.scriptBytesMax(), violations);
        Map<String, String> files = files(request, violations);
        Optional<String> schema = request.getInputSchema().isEmpty()
                ? Optional.empty()
                : RequestFields.text(INPUT_SCHEMA, request.getInputSchema(), limits.scriptBytesMax(), violations);
        DeploymentNote.check(request.getMessage(), violations);
        violations.throwIfAny();
        Optional<Json> given = schema.map(text -> InputSchemas.require(text, INPUT_SCHEMA));
        ScriptSource source = complete(
                workspace,
                request.getPath(),
                ScriptSource.choosing(language.orElseThrow(), content.orElseThrow(), files));
        return new Given(workspace, request.getPath(), source, given);
    }

    private DeployScriptResponse.Builder deploy(
            Workspace workspace, String path, ScriptSource source, Optional<Json> schema, String message) {
        Script deployed = scripts.deploy(
                workspace,
                path,
                source,
                schema,
                new DeploymentNote(Access.current().name(), message));
        schemas.forget(workspace, deployed.hash());
        DeployScriptResponse.Builder answer = deployed(deployed);
        Optional<RunStarter> starter = Access.current().starter();
        Optional<RunId> preparing =
                packageRuns.start(workspace, path, path, deployed.target(), source.allText(), starter);
        preparing.ifPresent(run -> answer.setPackageRunId(run.toString()));
        schemaRuns
                .start(workspace, path, path, deployed.target(), source.content(), starter, preparing)
                .ifPresent(run -> answer.setSchemaRunId(run.toString()));
        return answer;
    }

    /** The language that is given or that the path stands for; a violation if there is none, or if it is no name. */
    private static Optional<Language> language(DeployScriptRequest request, Violations violations) {
        Optional<String> name = ScriptProtos.language(request);
        if (name.isEmpty()) {
            Optional<Language> byEnding = ScriptPaths.languageOf(request.getPath());
            violations.require(
                    byEnding.isPresent(),
                    "language",
                    "not given, and the path does not end in " + ScriptLanguages.endingsInWords()
                            + ": give one of them");
            return byEnding;
        }
        violations.require(
                Language.isValid(name.get()),
                "language",
                "\"" + name.get() + "\" (expected: " + Language.EXPECTED + ")");
        return name.filter(Language::isValid).map(Language::new);
    }

    private static DeployScriptResponse.Builder deployed(Script script) {
        return DeployScriptResponse.newBuilder().setScript(ScriptProtos.withoutContent(script));
    }

    private Map<String, String> files(DeployScriptRequest request, Violations violations) {
        violations.require(
                request.getFilesCount() <= ScriptFiles.COUNT_MAX,
                "files",
                request.getFilesCount() + " files (expected: at most " + ScriptFiles.COUNT_MAX + ")");
        return ScriptProtos.files(request.getFilesList(), limits.scriptBytesMax(), violations);
    }

    /** The script with all files that were given and with those that it imports from deployed scripts. */
    private ScriptSource complete(Workspace workspace, String path, ScriptSource given) {
        Access access = Access.current();
        ScriptSource complete = imports.complete(
                workspace, path, given, given.files(), imported -> access.allows(Role.RUNNER, workspace, imported));
        Violations violations = new Violations();
        ScriptFileRules.check(path, complete, limits.scriptBytesMax(), violations);
        violations.throwIfAny();
        return complete;
    }

    private static Script visible(Access access, Workspace workspace, Optional<Script> found, String none) {
        Script script = found.orElseThrow(() -> notFound(none));
        if (!access.allows(Role.VIEWER, workspace, script.path())) {
            throw MillraceException.hiding(ErrorCode.SCRIPT_NOT_FOUND, none);
        }
        return script;
    }

    private static MillraceException notFound(String message) {
        return new MillraceException(ErrorCode.SCRIPT_NOT_FOUND, message);
    }
}
