package dev.millrace.scheduler.bulk;

import dev.millrace.proto.operation.v1.RunIds;
import dev.millrace.proto.operation.v1.StartBulkOperationRequest;
import dev.millrace.proto.run.v1.ListRunsRequest;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.operation.OperationProtos;
import dev.millrace.scheduler.queue.OperationKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.run.search.RunFilter;
import dev.millrace.scheduler.run.search.RunSearch;
import dev.millrace.scheduler.run.search.SearchReader;
import dev.millrace.scheduler.submission.RerunInputs;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Validates requests for bulk operations and reads their fields. */
final class BulkRequestProtos {
    /** Maximum number of runs that a request may list by id. */
    private static final int NAMED_RUNS_MAX = 10_000;

    private static final int STEP_KEY_LENGTH_MAX = 10_000;
    private static final int FLOW_LENGTH_MAX = 1_000;

    private final RerunInputs inputs;

    BulkRequestProtos(RerunInputs inputs) {
        this.inputs = inputs;
    }

    /**
     * The requested operation.
     *
     * @throws MillraceException if it is missing, or not for many runs
     */
    static OperationKind kind(StartBulkOperationRequest request) {
        return OperationProtos.kind(request.getOperation())
                .filter(BulkAction.KINDS::contains)
                .orElseThrow(() -> MillraceException.invalid(
                        "operation",
                        "is missing or not for many runs (expected: "
                                + BulkAction.KINDS.stream()
                                        .map(OperationKind::text)
                                        .collect(Collectors.joining(", "))
                                + ")"));
    }

    /**
     * What to do to each run. Fails if the caller may not run the version that it names.
     *
     * @throws MillraceException if a field is invalid
     */
    BulkAction action(OperationKind kind, StartBulkOperationRequest request) {
        boolean hasStep = kind == OperationKind.SKIP || kind == OperationKind.RERUN;
        Violations violations = new Violations();
        String step = request.getStep();
        violations.require(
                hasStep
                        ? !step.isEmpty() && step.length() <= STEP_KEY_LENGTH_MAX && step.indexOf('\0') < 0
                        : step.isEmpty(),
                "step",
                hasStep
                        ? "is empty or too long (expected: the key of a step, for example count[3].tokenize)"
                        : "is given (expected: only for skip and rerun)");
        violations.require(
                kind == OperationKind.SKIP || request.getResult().isEmpty(),
                "result",
                "is given (expected: only for skip)");
        violations.require(
                kind == OperationKind.RERUN || request.getFlowHash().isEmpty(),
                "flow_hash",
                "is given (expected: only for rerun)");
        violations.require(
                kind == OperationKind.RERUN || request.getStepInput().isEmpty(),
                "step_input",
                "is given (expected: only for rerun)");
        violations.throwIfAny();
        return BulkAction.of(
                kind, new BulkAction.Details(step, result(request), flowHash(request), stepInput(request)));
    }

    /** The version to execute, which must be stored in the workspace. */
    private Optional<String> flowHash(StartBulkOperationRequest request) {
        Optional<String> hash = Optional.of(request.getFlowHash()).filter(given -> !given.isEmpty());
        hash.ifPresent(given ->
                inputs.requireVersion(Access.current(), RequestFields.workspace(request.getWorkspace()), given));
        return hash;
    }

    private Optional<Json> stepInput(StartBulkOperationRequest request) {
        return request.getStepInput().isEmpty()
                ? Optional.empty()
                : Optional.of(inputs.readStepInput(request.getStepInput()));
    }

    private Json result(StartBulkOperationRequest request) {
        return request.getResult().isEmpty() ? Json.NULL : inputs.readAny(request.getResult(), "result");
    }

    /** The runs that a request lists by id, without duplicates. */
    static List<RunId> named(RunIds given) {
        if (given.getIdsCount() == 0 || given.getIdsCount() > NAMED_RUNS_MAX) {
            throw MillraceException.invalid(
                    "run_ids", given.getIdsCount() + " runs (expected: 1 to " + NAMED_RUNS_MAX + "; or a filter)");
        }
        Violations violations = new Violations();
        Set<RunId> runs = new LinkedHashSet<>();
        for (int index = 0; index < given.getIdsCount(); index++) {
            String id = given.getIds(index);
            violations.collect("run_ids[" + index + "]", () -> RunId.parse(id)).ifPresent(runs::add);
        }
        violations.throwIfAny();
        return List.copyOf(runs);
    }

    /** Reads a filter. Without states, the filter selects the states that the operation is meant for. */
    static RunFilter filter(dev.millrace.proto.operation.v1.RunFilter given, OperationKind kind) {
        Violations violations = new Violations();
        boolean isOfFlows = !given.getFlowPath().isEmpty();
        violations.require(
                !isOfFlows
                        || (given.getFlowPath().length() <= FLOW_LENGTH_MAX
                                && given.getFlowPath().indexOf('\0') < 0),
                "filter.flow_path",
                "is no path of a flow");
        violations.require(
                !isOfFlows || given.getName().isEmpty(),
                "filter.name",
                "is given beside a flow_path (expected: one of them)");
        violations.require(
                given.getStatesCount() > 0 || !statesMeant(kind).isEmpty(),
                "filter.states",
                "is empty (expected for " + kind.text() + ": the states of the runs that are meant)");
        RunSearch search = SearchReader.read(asList(given, kind), Optional.empty(), "filter.", violations);
        violations.throwIfAny();
        return new RunFilter(search, isOfFlows);
    }

    /** The request for a list of the same runs. */
    private static ListRunsRequest asList(dev.millrace.proto.operation.v1.RunFilter given, OperationKind kind) {
        var list = ListRunsRequest.newBuilder()
                .addAllStates(given.getStatesList())
                .setKind(given.getKind())
                .setName(given.getName())
                .addAllInput(given.getInputList())
                .addAllOutput(given.getOutputList())
                .setTag(given.getTag())
                .setStartedBy(given.getStartedBy());
        if (!given.getFlowPath().isEmpty()) {
            list.setName(given.getFlowPath());
            if (given.getKind() == ListRunsRequest.Kind.KIND_UNSPECIFIED) {
                list.setKind(ListRunsRequest.Kind.KIND_WORK);
            }
        }
        if (given.getStatesCount() == 0) {
            statesMeant(kind).forEach(list::addStates);
        }
        if (given.hasCreatedFrom()) {
            list.setCreatedFrom(given.getCreatedFrom());
        }
        if (given.hasCreatedBefore()) {
            list.setCreatedBefore(given.getCreatedBefore());
        }
        return list.build();
    }

    /** The states that a filter without states selects; empty if the filter must name states. */
    private static List<Run.State> statesMeant(OperationKind kind) {
        return switch (kind) {
            case CANCEL, PAUSE, RESUME, SKIP -> List.of(Run.State.STATE_QUEUED, Run.State.STATE_RUNNING);
            case RETRY -> List.of(Run.State.STATE_FAILED);
            case RESTART, RERUN, PIN, UNPIN -> List.of();
        };
    }

    /** SHA-256, in hex, of the request without its note: tells a repeated request from a different one. */
    static String fingerprint(StartBulkOperationRequest request) {
        byte[] content = request.toBuilder().clearNote().build().toByteArray();
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java platform has SHA-256", impossible);
        }
    }
}
