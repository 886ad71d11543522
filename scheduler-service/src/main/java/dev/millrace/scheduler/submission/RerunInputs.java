package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.access.Access;
import dev.millrace.scheduler.access.Role;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.flow.Flows;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.rpc.RequestFields;
import dev.millrace.scheduler.script.Script;
import dev.millrace.scheduler.script.Scripts;
import java.util.Optional;

/** Validates JSON that callers provide for an existing run. */
public final class RerunInputs {
    private final InputReader inputs;
    private final Scripts scripts;
    private final Flows flows;
    private final int bytesMax;

    public RerunInputs(FlowCatalog catalog, Scripts scripts, Flows flows, int bytesMax) {
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
