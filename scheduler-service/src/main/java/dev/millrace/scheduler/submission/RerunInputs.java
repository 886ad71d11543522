package dev.millrace.scheduler.submission;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.expression.JsonText;
import dev.millrace.scheduler.flow.FlowCatalog;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.rpc.RequestFields;

/** Checks JSON that is given to a run that was there before. */
public final class RerunInputs {
    private final InputReader inputs;
    private final int bytesMax;

    public RerunInputs(FlowCatalog catalog, int bytesMax) {
        this.inputs = new InputReader(catalog, bytesMax);
        this.bytesMax = bytesMax;
    }

    /** An input for another run of the same; fails where it is wrong. */
    public Json read(ByteString input, RunTarget target) {
        Violations violations = new Violations();
        var read = inputs.read(input, target, "input", violations);
        violations.throwIfAny();
        return read.orElseThrow();
    }

    /** Any JSON value; fails where it is none. */
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
