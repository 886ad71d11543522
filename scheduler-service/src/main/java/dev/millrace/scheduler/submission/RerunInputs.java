package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.flow.LimitRights;
import dev.millrace.scheduler.flow.ReferenceRights;
import dev.millrace.scheduler.flow.StartRights;
import dev.millrace.scheduler.flow.core.graph.FlowModel;
import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.flow.core.graph.TaskWork;
import dev.millrace.scheduler.flow.core.graph.Work;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.StepInput;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import java.util.Optional;

/** Validates JSON that callers provide for an existing run. */
public final class RerunInputs {
    private static final String FIELD = "step_input";
    private static final String FLOW_HASH = "flow_hash";

    private final FlowCatalog catalog;
    private final InputReader inputs;
    private final Scripts scripts;
    private final Flows flows;
    private final int bytesMax;

    /**
     * A run that is to run again.
     *
     * @param target hash of its script or flow, or name of its handler
     */
    public record Original(Workspace workspace, JobKind kind, String target, String name, Json input) {}

    public RerunInputs(FlowCatalog catalog, Scripts scripts, Flows flows, int bytesMax) {
        this.catalog = catalog;
        this.inputs = new InputReader(catalog, bytesMax);
        this.scripts = scripts;
        this.flows = flows;
        this.bytesMax = bytesMax;
    }

    /**
     * Fails unless the caller may give a run another input. Otherwise, whoever may only run what is deployed could run any
     * handler, and any version that once ran, with an input of its choice.
     *
     * @param target hash of the run's script or flow, or name of its handler
     * @param name of the run
     */
    public void requireMayChoose(Access access, Workspace workspace, JobKind kind, String target, String name) {
        if (!isDeployed(workspace, kind, target, name)) {
            access.require(Role.DEVELOPER, workspace, name);
        }
    }

    private boolean isDeployed(Workspace workspace, JobKind kind, String target, String name) {
        Optional<String> current = Optional.empty();
        if (kind == JobKind.FLOW) {
            current = flows.findCurrentHash(workspace, name);
        } else if (kind == JobKind.SCRIPT) {
            current = scripts.findCurrentWithoutContent(workspace, name).map(Script::hash);
        }
        return current.filter(target::equals).isPresent();
    }

    /** Reads an input for another run of the same target. Fails if the input is invalid. */
    public Json read(ByteString input, RunTarget target) {
        Violations violations = new Violations();
        var read = inputs.read(input, target, "input", violations);
        violations.throwIfAny();
        return read.orElseThrow();
    }

    /**
     * Reads the input for a run of another version of a flow: the given one, or else that of the run, which the other
     * version may no longer take. Fails if the caller may not run the version.
     *
     * @param given JSON; empty for the input of the run
     */
    public Json readForVersion(Access access, Original run, String flowHash, ByteString given) {
        requireFlow(run, FLOW_HASH);
        requireVersion(access, run.workspace(), flowHash, run.name());
        ByteString input = given.isEmpty() ? ByteString.copyFromUtf8(run.input().text()) : given;
        return read(input, new RunTarget.FlowRun(flowHash));
    }

    /**
     * Checks the input of a run for another version of its flow, for a caller who may run the version. Fails if the version
     * is one of another flow, as a list of runs may have runs of several flows.
     */
    public Json readAgainForVersion(Original run, String flowHash) {
        requireFlow(run, FLOW_HASH);
        requireStored(run.workspace(), flowHash);
        String own = catalog.model(run.target()).definition().name();
        String other = catalog.model(flowHash).definition().name();
        if (!own.equals(other)) {
            throw MillraceException.invalid(
                    FLOW_HASH, "is a version of the flow " + other + ", and the run is one of " + own);
        }
        return read(ByteString.copyFromUtf8(run.input().text()), new RunTarget.FlowRun(flowHash));
    }

    /** Fails unless the version is stored in the workspace, and the caller may run it. */
    public void requireVersion(Access access, Workspace workspace, String flowHash) {
        requireStored(workspace, flowHash);
        requireVersion(
                access,
                workspace,
                flowHash,
                catalog.model(flowHash).definition().name());
    }

    private void requireVersion(Access access, Workspace workspace, String flowHash, String name) {
        requireStored(workspace, flowHash);
        FlowModel model = catalog.model(flowHash);
        access.require(Role.DEVELOPER, workspace, name);
        ReferenceRights.require(access, workspace, name, model.references());
        StartRights.require(access, workspace, name, model.definition());
        LimitRights.require(access, workspace, model.definition());
    }

    private void requireStored(Workspace workspace, String flowHash) {
        if (!flows.use(workspace, flowHash)) {
            throw new MillraceException(
                    ErrorCode.FLOW_NOT_FOUND,
                    "There is no flow version " + flowHash + " in workspace " + workspace + ": deploy it first.");
        }
    }

    /**
     * Reads an input for a step. Fails if the text is no JSON object, or if the step has no input.
     *
     * @param flowHash version of the flow that is to be executed; absent for that of the run
     */
    public StepInput readForStep(Original run, Optional<String> flowHash, String step, ByteString given) {
        return readForStep(run, flowHash, step, readStepInput(given));
    }

    /** Checks that a step of the run, or of another version, takes an input; see {@link #readStepInput}. */
    public StepInput readForStep(Original run, Optional<String> flowHash, String step, Json input) {
        requireFlow(run, FIELD);
        Work work = work(catalog.model(flowHash.orElse(run.target())), step);
        if (!(work instanceof TaskWork)) {
            throw MillraceException.invalid(
                    FIELD,
                    "cannot be given for step " + step
                            + ", which runs no job: choose a step that runs a script or a handler");
        }
        if (work.isErased()) {
            throw MillraceException.invalid(
                    FIELD,
                    "cannot be given for step " + step
                            + ", whose data are deleted after the run: give the run another input");
        }
        return new StepInput(step, input);
    }

    /** Reads an input for a step. Fails if the text is no JSON object. */
    public Json readStepInput(ByteString given) {
        Json input = readAny(given, FIELD);
        if (!input.text().stripLeading().startsWith("{")) {
            throw MillraceException.invalid(
                    FIELD, "is not a JSON object: send an object whose keys are the parameters of the step");
        }
        return input;
    }

    private static Work work(FlowModel model, String step) {
        try {
            return model.walk(new StepKey(step)).node().work();
        } catch (IllegalArgumentException | IndexOutOfBoundsException noSuchStep) {
            throw new MillraceException(
                    ErrorCode.STEP_NOT_FOUND, "The flow has no step " + step + ": choose one of its steps.");
        }
    }

    private static void requireFlow(Original run, String field) {
        if (run.kind() != JobKind.FLOW) {
            throw MillraceException.invalid(
                    field, "cannot be given, as the run is not of a flow: restart the run instead");
        }
    }

    /** Reads any JSON value. Fails if the text is no JSON. */
    public Json readAny(ByteString json, String field) {
        Violations violations = new Violations();
        var text = RequestFields.text(field, json, bytesMax, violations);
        violations.throwIfAny();
        JsonText.problem(text.orElseThrow()).ifPresent(problem -> {
            throw MillraceException.invalid(field, "is not valid JSON: " + problem);
        });
        return new Json(text.get());
    }
}
