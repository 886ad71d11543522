package dev.millrace.scheduler.flow;

import com.google.protobuf.ByteString;
import dev.millrace.proto.flow.v1.ConvertFlowRequest;
import dev.millrace.proto.flow.v1.ConvertFlowResponse;
import dev.millrace.proto.flow.v1.DeleteFlowRequest;
import dev.millrace.proto.flow.v1.DeleteFlowResponse;
import dev.millrace.proto.flow.v1.DeployFlowRequest;
import dev.millrace.proto.flow.v1.DeployFlowResponse;
import dev.millrace.proto.flow.v1.FlowFile;
import dev.millrace.proto.flow.v1.FlowServiceGrpc;
import dev.millrace.proto.flow.v1.GetFlowRequest;
import dev.millrace.proto.flow.v1.GetFlowResponse;
import dev.millrace.proto.flow.v1.ListFlowsRequest;
import dev.millrace.proto.flow.v1.ListFlowsResponse;
import dev.millrace.proto.flow.v1.PlanFlowRequest;
import dev.millrace.proto.flow.v1.PlanFlowResponse;
import dev.millrace.proto.flow.v1.ValidateFlowRequest;
import dev.millrace.proto.flow.v1.ValidateFlowResponse;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.config.LimitConfig;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.flow.dialect.Compilation;
import dev.millrace.scheduler.flow.dialect.FlowSource;
import dev.millrace.scheduler.input.SchemaRuns;
import dev.millrace.scheduler.packages.PackageRuns;
import dev.millrace.scheduler.queue.core.JobTarget;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.RunStarter;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.rpc.Unary;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import dev.millrace.scheduler.version.DeploymentNote;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** gRPC service for flows. */
public final class FlowGrpcService extends FlowServiceGrpc.FlowServiceImplBase {
    /** Maximum number of files that come with one flow. */
    private static final int FILES_MAX = 1_000;

    private static final String FILE_NAME_DEFAULT = "flow.yaml";

    private final Flows flows;
    private final Scripts scripts;
    private final PackageRuns packageRuns;
    private final SchemaRuns schemaRuns;
    private final LimitConfig limits;
    private final FlowTriggers triggers;

    public FlowGrpcService(
            Flows flows,
            Scripts scripts,
            PackageRuns packageRuns,
            SchemaRuns schemaRuns,
            LimitConfig limits,
            FlowTriggers triggers) {
        this.flows = flows;
        this.scripts = scripts;
        this.packageRuns = packageRuns;
        this.schemaRuns = schemaRuns;
        this.limits = limits;
        this.triggers = triggers;
    }

    @Override
    public void validateFlow(ValidateFlowRequest request, StreamObserver<ValidateFlowResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        Optional<String> text =
                RequestFields.text("definition", request.getDefinition(), limits.flowBytesMax(), violations);
        Map<String, String> files = files(request.getFilesList(), violations);
        violations.throwIfAny();
        FlowSource source = source(request.getFileName(), request.getDialect(), text.orElseThrow());
        Compilation compilation = flows.validate(Access.current(), workspace, source, files, triggers);
        Unary.answer(
                observer,
                ValidateFlowResponse.newBuilder()
                        .addAllProblems(FlowProtos.problems(Flows.problems(compilation)))
                        .addAllWarnings(FlowProtos.problems(Flows.warnings(compilation)))
                        .addAllScriptPaths(compilation.scriptPaths())
                        .addAllScriptPaths(files.isEmpty() ? compilation.scriptCandidates() : List.of())
                        .setDialect(compilation.dialect())
                        .build());
    }

    @Override
    public void deployFlow(DeployFlowRequest request, StreamObserver<DeployFlowResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        Optional<String> text =
                RequestFields.text("definition", request.getDefinition(), limits.flowBytesMax(), violations);
        Map<String, String> files = files(request.getFilesList(), violations);
        DeploymentNote.check(request.getMessage(), violations);
        violations.throwIfAny();
        FlowSource source = source(request.getFileName(), request.getDialect(), text.orElseThrow());
        Flows.Deployment deployed = request.getStoreOnly()
                ? flows.store(Access.current(), workspace, request.getPath(), source, files)
                : flows.deploy(
                        Access.current(), workspace, request.getPath(), source, files, triggers, request.getMessage());
        List<RunId> preparations = request.getStoreOnly() ? List.of() : prepare(workspace, deployed);
        Unary.answer(
                observer,
                DeployFlowResponse.newBuilder()
                        .setFlow(FlowProtos.withoutDefinition(deployed.flow()))
                        .addAllWarnings(FlowProtos.problems(deployed.warnings()))
                        .addAllTriggers(deployed.triggers().stream()
                                .map(FlowProtos::change)
                                .toList())
                        .addAllPreparationRunIds(
                                preparations.stream().map(RunId::toString).toList())
                        .build());
    }

    @Override
    public void planFlow(PlanFlowRequest request, StreamObserver<PlanFlowResponse> observer) {
        Violations violations = new Violations();
        Workspace workspace = RequestFields.workspace(request.getWorkspace(), violations);
        Optional<String> text =
                RequestFields.text("definition", request.getDefinition(), limits.flowBytesMax(), violations);
        Map<String, String> files = files(request.getFilesList(), violations);
        violations.throwIfAny();
        FlowSource source = source(request.getFileName(), request.getDialect(), text.orElseThrow());
        FlowPlan plan = flows.plan(Access.current(), workspace, request.getPath(), source, files, triggers);
        Unary.answer(observer, FlowProtos.plan(workspace, plan));
    }

    /**
     * Starts runs that choose the packages of the flow's scripts, check their syntax and types, and read their signatures before
     * their first jobs. A version that is deployed under a path of its own was prepared then.
     */
    private List<RunId> prepare(Workspace workspace, Flows.Deployment deployed) {
        List<RunId> started = new ArrayList<>();
        for (JobTarget.Script target : new LinkedHashSet<>(deployed.scripts())) {
            scripts.find(workspace, target.hash())
                    .filter(script -> !scripts.isDeployed(workspace, script.hash()))
                    .ifPresent(script ->
                            started.addAll(prepare(workspace, deployed.flow().path(), script)));
        }
        return started;
    }

    private Set<RunId> prepare(Workspace workspace, String flow, Script script) {
        Optional<RunStarter> starter = Access.current().starter();
        Optional<RunId> preparing =
                packageRuns.start(workspace, flow, script.path(), script.target(), script.content(), starter);
        Set<RunId> runs = new LinkedHashSet<>();
        preparing.ifPresent(runs::add);
        schemaRuns
                .start(workspace, flow, script.path(), script.target(), script.content(), starter, preparing)
                .ifPresent(runs::add);
        return runs;
    }

    @Override
    public void convertFlow(ConvertFlowRequest request, StreamObserver<ConvertFlowResponse> observer) {
        Violations violations = new Violations();
        Optional<String> text =
                RequestFields.text("definition", request.getDefinition(), limits.flowBytesMax(), violations);
        Map<String, String> files = files(request.getFilesList(), violations);
        violations.throwIfAny();
        FlowSource source = source(request.getFileName(), request.getDialect(), text.orElseThrow());
        Flows.Conversion conversion = flows.convert(source, files);
        Unary.answer(
                observer,
                ConvertFlowResponse.newBuilder()
                        .setDefinition(
                                ByteString.copyFromUtf8(conversion.printed().definition()))
                        .addAllScripts(conversion.printed().scripts().entrySet().stream()
                                .sorted(Map.Entry.comparingByKey())
                                .map(script -> FlowProtos.file(script.getKey(), script.getValue()))
                                .toList())
                        .setDialect(conversion.dialect())
                        .addAllWarnings(FlowProtos.problems(conversion.warnings()))
                        .build());
    }

    @Override
    public void getFlow(GetFlowRequest request, StreamObserver<GetFlowResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Access access = Access.current();
        StoredFlow found = switch (request.getReferenceCase()) {
            case HASH ->
                visible(
                        access,
                        workspace,
                        flows.find(workspace, request.getHash()),
                        "There is no flow version " + request.getHash() + ".");
            case PATH ->
                visible(
                        access,
                        workspace,
                        flows.findCurrent(workspace, request.getPath()),
                        "There is no flow " + request.getPath() + " in workspace " + workspace + ": deploy it first.");
            case REFERENCE_NOT_SET -> throw MillraceException.invalid("reference", "neither hash nor path is given");
        };
        Unary.answer(
                observer,
                GetFlowResponse.newBuilder()
                        .setFlow(FlowProtos.withDefinition(
                                found, flows.scripts(found.hash()), flows.subFlows(found.hash())))
                        .addAllUsedBy(access.visible(workspace, flows.usersOf(workspace, found.path())))
                        .build());
    }

    @Override
    public void listFlows(ListFlowsRequest request, StreamObserver<ListFlowsResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        Optional<Set<String>> folders = Access.current().visibleFolders(workspace);
        PageRequest page = PageRequest.of(request.getPageSize(), request.getPageToken());
        var found = page.of(limit -> flows.list(workspace, folders, page.after(), limit), StoredFlow::path);
        Unary.answer(
                observer,
                ListFlowsResponse.newBuilder()
                        .addAllFlows(found.items().stream()
                                .map(FlowProtos::withoutDefinition)
                                .toList())
                        .setNextPageToken(found.nextToken())
                        .build());
    }

    @Override
    public void deleteFlow(DeleteFlowRequest request, StreamObserver<DeleteFlowResponse> observer) {
        Workspace workspace = RequestFields.workspace(request.getWorkspace());
        StoredFlow deleted = flows.delete(workspace, request.getPath(), request.getForce())
                .orElseThrow(
                        () -> notFound("There is no flow " + request.getPath() + " in workspace " + workspace + "."));
        Unary.answer(
                observer,
                DeleteFlowResponse.newBuilder()
                        .setFlow(FlowProtos.withoutDefinition(deleted))
                        .build());
    }

    private static FlowSource source(String fileName, String dialect, String text) {
        return new FlowSource(
                fileName.isEmpty() ? FILE_NAME_DEFAULT : fileName,
                Optional.of(dialect).filter(name -> !name.isEmpty()),
                text);
    }

    private Map<String, String> files(List<FlowFile> given, Violations violations) {
        violations.require(
                given.size() <= FILES_MAX, "files", given.size() + " files (expected: at most " + FILES_MAX + ")");
        Map<String, String> files = new HashMap<>();
        for (int index = 0; index < given.size(); index++) {
            FlowFile file = given.get(index);
            RequestFields.text("files[" + index + "].content", file.getContent(), limits.scriptBytesMax(), violations)
                    .ifPresent(content -> files.put(file.getPath(), content));
        }
        return files;
    }

    private static StoredFlow visible(Access access, Workspace workspace, Optional<StoredFlow> found, String none) {
        StoredFlow flow = found.orElseThrow(() -> notFound(none));
        if (!access.allows(Role.VIEWER, workspace, flow.path())) {
            throw MillraceException.hiding(ErrorCode.FLOW_NOT_FOUND, none);
        }
        return flow;
    }

    private static MillraceException notFound(String message) {
        return new MillraceException(ErrorCode.FLOW_NOT_FOUND, message);
    }
}
